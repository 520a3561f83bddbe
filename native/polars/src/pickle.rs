//! Reads the arguments of a plugin, which Polars passes as the pickle of a dictionary.
//!
//! The values may be texts, integers, booleans, None, and lists of integers or None. Everything else is an error.
//! Nothing nests more deeply, so no input can overflow the stack.

use std::rc::Rc;
use std::str::from_utf8;

/// The value of an argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    None,
    Bool(bool),
    /// An integer of up to 64 bits.
    Integer(i64),
    /// A text. It is shared, because a pickle may refer to the same text any number of times.
    Text(Rc<str>),
    /// A list of integers or None.
    Integers(Vec<Option<i64>>),
}

/// An entry of the stack on which the opcodes of a pickle work.
#[derive(Clone, Debug)]
enum Entry {
    /// The entries above it are items of the dictionary or list below it.
    Mark,
    Value(Value),
    /// A dictionary: its keys and values so far.
    Dict(Vec<(Rc<str>, Value)>),
}

/// The keys and values of a dictionary, pickled by protocol 5, which every Polars uses. Errors call arguments "they".
pub fn dict(pickle: &[u8]) -> Result<Vec<(Rc<str>, Value)>, String> {
    let mut input = Input(pickle);
    let mut stack: Vec<Entry> = Vec::new();
    // The memoized values by number. Only texts are kept, because a pickle refers to nothing else again.
    let mut memo: Vec<Option<Value>> = Vec::new();
    loop {
        let code = input.byte()?;
        let value = match code {
            // PROTO, with a version; FRAME, with the length of what follows.
            0x80 | 0x95 => {
                input.take(if code == 0x80 { 1 } else { 8 })?;
                continue;
            }
            // STOP
            b'.' => {
                return match (stack.pop(), stack.is_empty()) {
                    (Some(Entry::Dict(entries)), true) => Ok(entries),
                    _ => Err("they are no dictionary".into()),
                };
            }
            // MEMOIZE
            0x94 => {
                let top = stack.last().ok_or("nothing is memoized")?;
                memo.push(match top {
                    Entry::Value(value @ Value::Text(_)) => Some(value.clone()),
                    _ => None,
                });
                continue;
            }
            // MARK, EMPTY_DICT
            b'(' | b'}' => {
                stack.push(if code == b'(' { Entry::Mark } else { Entry::Dict(Vec::new()) });
                continue;
            }
            // SETITEM, SETITEMS; APPEND, APPENDS
            b's' | b'u' | b'a' | b'e' => {
                let to_mark = matches!(code, b'u' | b'e');
                let count = if code == b's' { 2 } else { 1 };
                let items = items(&mut stack, to_mark, count)?;
                fill(stack.last_mut().ok_or("nothing is there to be filled")?, items, code)?;
                continue;
            }
            // BINGET, LONG_BINGET
            b'h' | b'j' => {
                let place = input.unsigned(if code == b'h' { 1 } else { 4 })?;
                let place = usize::try_from(place).map_err(|_| "a place beyond the memo")?;
                memo.get(place).cloned().flatten().ok_or("nothing is memoized there")?
            }
            b'N' => Value::None,
            0x88 => Value::Bool(true),
            0x89 => Value::Bool(false),
            // BININT1 and BININT2, which have no sign; BININT; LONG1, with its size
            b'K' => Value::Integer(input.signed(1)? & 0xff),
            b'M' => Value::Integer(input.signed(2)? & 0xffff),
            b'J' => Value::Integer(input.signed(4)?),
            0x8a => {
                let size = input.byte()?;
                Value::Integer(input.signed(size.into())?)
            }
            // SHORT_BINUNICODE, BINUNICODE, BINUNICODE8
            0x8c => Value::Text(input.text(1)?),
            b'X' => Value::Text(input.text(4)?),
            0x8d => Value::Text(input.text(8)?),
            // EMPTY_LIST
            b']' => Value::Integers(Vec::new()),
            _ => return Err(format!("opcode {code:#04x} is none of a dictionary of texts and numbers")),
        };
        stack.push(Entry::Value(value));
    }
}

/// Takes items off the stack: `count` of them, or if `to_mark`, those above the last mark, and the mark as well.
fn items(stack: &mut Vec<Entry>, to_mark: bool, count: usize) -> Result<Vec<Value>, String> {
    let mark = stack.iter().rposition(|entry| matches!(entry, Entry::Mark));
    let start = if to_mark { mark.map(|mark| mark + 1) } else { stack.len().checked_sub(count) };
    let items = stack.split_off(start.ok_or("items are missing")?);
    if to_mark {
        stack.pop();
    }
    let value = |entry| match entry {
        Entry::Value(value) => Ok(value),
        _ => Err("dictionaries cannot lie in others".to_owned()),
    };
    items.into_iter().map(value).collect()
}

/// Adds items to the dictionary or list at the top of the stack, according to the opcode.
fn fill(container: &mut Entry, items: Vec<Value>, code: u8) -> Result<(), String> {
    match (container, code) {
        (Entry::Dict(entries), b's' | b'u') => {
            let (pairs, rest) = items.as_chunks::<2>();
            if !rest.is_empty() {
                return Err("a key has no value".into());
            }
            for [key, value] in pairs {
                let Value::Text(key) = key else { return Err(format!("a key cannot be {key:?}")) };
                entries.push((key.clone(), value.clone()));
            }
        }
        (Entry::Value(Value::Integers(list)), b'a' | b'e') => {
            for item in items {
                list.push(match item {
                    Value::Integer(number) => Some(number),
                    Value::None => None,
                    _ => return Err(format!("a list cannot hold {item:?}")),
                });
            }
        }
        _ => return Err("items go into a dictionary or a list".into()),
    }
    Ok(())
}

/// The rest of a pickle.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    /// The next `count` bytes.
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or("they end too early")?;
        self.0 = rest;
        Ok(taken)
    }

    /// The next byte.
    fn byte(&mut self) -> Result<u8, String> {
        Ok(self.take(1)?[0])
    }

    /// A signed integer of `size` bytes, least significant first.
    fn signed(&mut self, size: usize) -> Result<i64, String> {
        let bytes = self.take(size)?;
        if size > 8 {
            return Err("a number does not fit 64 bits".into());
        }
        let sign = if bytes.last().is_some_and(|byte| *byte >= 0x80) { 0xff } else { 0 };
        let mut full = [sign; 8];
        full[..size].copy_from_slice(bytes);
        Ok(i64::from_le_bytes(full))
    }

    /// An unsigned integer of `size` bytes, 8 at most, least significant first.
    fn unsigned(&mut self, size: usize) -> Result<u64, String> {
        let mut full = [0; 8];
        full[..size].copy_from_slice(self.take(size)?);
        Ok(u64::from_le_bytes(full))
    }

    /// A text, preceded by its length, which has `size` bytes.
    fn text(&mut self, size: usize) -> Result<Rc<str>, String> {
        let length = usize::try_from(self.unsigned(size)?).map_err(|_| "they end too early")?;
        let bytes = self.take(length)?;
        from_utf8(bytes).map(Rc::from).map_err(|_| "a text is not in UTF-8".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Value {
        Value::Text(text.into())
    }

    #[test]
    fn what_python_pickles_is_read() {
        // pickle.dumps({"name": "ndcg", "k": 300, "grouped_k": False, "ks": [1, 70000, -2, 2**40],
        //     "options": None, "again": "ndcg"}, 5), with both "ndcg" the same object
        let pickle = b"\x80\x05\x95Y\x00\x00\x00\x00\x00\x00\x00}\x94(\x8c\x04name\x94\x8c\x04ndcg\x94\x8c\x01k\x94M,\
            \x01\x8c\tgrouped_k\x94\x89\x8c\x02ks\x94]\x94(K\x01Jp\x11\x01\x00J\xfe\xff\xff\xff\x8a\x06\x00\x00\x00\
            \x00\x00\x01e\x8c\x07options\x94N\x8c\x05again\x94h\x02u.";
        let expected = [
            ("name", text("ndcg")),
            ("k", Value::Integer(300)),
            ("grouped_k", Value::Bool(false)),
            ("ks", Value::Integers([1, 70_000, -2, 1 << 40].map(Some).into())),
            ("options", Value::None),
            ("again", text("ndcg")),
        ];
        assert_eq!(dict(pickle), Ok(expected.map(|(key, value)| (key.into(), value)).to_vec()));
        for end in 0..pickle.len() {
            assert!(dict(&pickle[..end]).is_err());
        }
        // pickle.dumps({"ks": [1, None]}), without MEMOIZE
        let expected = vec![("ks".into(), Value::Integers(vec![Some(1), None]))];
        assert_eq!(dict(b"\x80\x05}\x8c\x02ks](K\x01Nes."), Ok(expected));
    }

    #[test]
    fn other_values_are_errors() {
        let cases: [(&[u8], &str); 7] = [
            (b"\x80\x05N.", "they are no dictionary"),
            (b"\x80\x05}\x94\x8c\x01kG\x00", "opcode 0x47 is none of a dictionary of texts and numbers"),
            (b"}K\x01K\x02s.", "a key cannot be Integer(1)"),
            (b"}(\x8c\x01ku.", "a key has no value"),
            (b"}\x8c\x01k]\x88a", "a list cannot hold Bool(true)"),
            (b"}\x8c\x01k\x8a\x09\0\0\0\0\0\0\0\0\x01s.", "a number does not fit 64 bits"),
            (b"\x8c\x02\xff\xff.", "a text is not in UTF-8"),
        ];
        for (pickle, error) in cases {
            assert_eq!(dict(pickle), Err(error.to_owned()));
        }
    }
}
