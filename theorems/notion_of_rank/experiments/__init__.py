"""The figures of the document, as experiments."""
