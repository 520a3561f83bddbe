//! Quoting of names and texts in SQL.

/// A name in double quotes.
pub fn quote_name(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A text in single quotes.
pub fn quote_text(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
