"""What figures of several papers are made with."""
