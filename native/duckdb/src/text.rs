//! Texts and other byte strings, as DuckDB stores them.

use rankdcg_core::{Items, hash};

/// The number of bytes up to which a byte string is stored in place.
pub const INLINED: usize = 12;

/// `duckdb_string_t`: a byte string. One of up to 12 bytes is stored in place, a longer one behind a pointer.
#[derive(Clone, Copy)]
#[repr(C)]
pub union Text {
    /// A string of up to 12 bytes.
    inlined: Inlined,
    /// A longer string.
    pointer: Pointer,
    /// Either, as two words. Strings that are stored in place and are equal have equal words.
    words: [u64; 2],
}

/// A string that is stored in place.
#[derive(Clone, Copy)]
#[repr(C)]
struct Inlined {
    length: u32,
    /// The bytes, and zeros after them.
    bytes: [u8; 12],
}

/// A string that is stored elsewhere.
#[derive(Clone, Copy)]
#[repr(C)]
struct Pointer {
    length: u32,
    /// The first bytes.
    prefix: [u8; 4],
    bytes: *const u8,
}

impl Text {
    /// A byte string that is stored in place; `None` if it is longer than [`INLINED`].
    #[allow(clippy::cast_possible_truncation)]
    pub fn inlined(text: &[u8]) -> Option<Self> {
        let mut bytes = [0; INLINED];
        bytes.get_mut(..text.len())?.copy_from_slice(text);
        Some(Self { inlined: Inlined { length: text.len() as u32, bytes } })
    }

    /// Whether the bytes are the same.
    #[inline]
    pub fn equals(&self, other: &Self) -> bool {
        // SAFETY: any bits are two words.
        let (one, two) = unsafe { (self.words, other.words) };
        // The first word is the length and the first bytes; the second is the rest, or a pointer. Texts whose first
        // words differ are not equal. Those with two equal words are; others are long, or not equal.
        if one[0] != two[0] || one[1] == two[1] {
            return one[0] == two[0];
        }
        let (one, two) = (self.bytes(), other.bytes());
        // Ids mostly differ in their last bytes, if at all. Up to 16 bytes, the first and the last 8 are all.
        one.len() > INLINED
            && one.last_chunk::<8>() == two.last_chunk()
            && one.first_chunk::<8>() == two.first_chunk()
            && (one.len() <= 16 || one == two)
    }

    /// The bytes, wherever they are stored.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: both variants begin with the length, which determines the variant.
        unsafe {
            let length = self.inlined.length as usize;
            if length <= INLINED {
                &self.inlined.bytes[..length]
            } else {
                std::slice::from_raw_parts(self.pointer.bytes, length)
            }
        }
    }
}

// SAFETY: a text is never written after DuckDB has passed it, and its bytes belong to a vector that outlives it.
unsafe impl Sync for Text {}

/// Texts and other byte strings, read in place.
pub struct Texts<'a> {
    /// The strings. Those of NULLs are undefined.
    pub values: &'a [Text],
    /// The mask of the vector; `None` if no value is NULL.
    pub mask: Option<&'a [u64]>,
}

impl Items for Texts<'_> {
    // A tag is the hash of an item's bytes: equal items have equal tags, but equal tags do not prove equal items.
    const EXACT: bool = false;

    #[inline]
    fn is_valid(&self, index: usize) -> bool {
        self.mask.as_ref().is_none_or(|mask| mask[index / 64] >> (index % 64) & 1 == 1)
    }

    #[inline]
    fn tag(&self, index: usize) -> Option<i64> {
        self.is_valid(index).then(|| hash(self.values[index].bytes()))
    }

    #[inline]
    fn are_equal(&self, one: usize, other: usize) -> bool {
        let is_valid = self.is_valid(one); // NULL equals NULL alone
        is_valid == self.is_valid(other) && (!is_valid || self.values[one].equals(&self.values[other]))
    }

    #[inline]
    fn bytes(&self, index: usize) -> &[u8] {
        self.values[index].bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::cast_possible_truncation)]
    fn texts_are_equal_if_their_bytes_are() {
        let text = |bytes: &'static [u8]| match <[u8; 4]>::try_from(&bytes[..bytes.len().min(4)]) {
            Ok(prefix) if bytes.len() > INLINED => {
                Text { pointer: Pointer { length: bytes.len() as u32, prefix, bytes: bytes.as_ptr() } }
            }
            _ => {
                let mut inlined = Inlined { length: bytes.len() as u32, bytes: [0; 12] };
                inlined.bytes[..bytes.len()].copy_from_slice(bytes);
                Text { inlined }
            }
        };
        for length in 0..40 {
            let leaked = |bytes: Vec<u8>| &*bytes.leak();
            let bytes = leaked((0..length).collect());
            assert!(text(bytes).equals(&text(bytes)), "{length}");
            assert!(text(bytes).equals(&text(leaked(bytes.to_vec()))), "{length}");
            assert!(!text(bytes).equals(&text(leaked([bytes, &[0]].concat()))), "{length}");
            for place in 0..bytes.len() {
                let mut other = bytes.to_vec();
                other[place] = 99;
                assert!(!text(bytes).equals(&text(leaked(other))), "{length}, {place}");
            }
        }
    }
}
