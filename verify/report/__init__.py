"""What checking gave, for a reader: in words, as a table, as a page."""
