"""Tables of any kind, read as truth and rec: their types, columns and views."""
