//! Arrow arrays whose counts, pointers and values depend on the input: they are evaluated, or refused with a sentence.
//!
//! Two things cannot be checked by the library, so they always hold here: pointers are NULL or valid, and each buffer
//! is larger than any valid length here requires.
#![no_main]

use std::any::Any;
use std::ffi::{CStr, CString, c_void};
use std::ptr::{null, null_mut};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use libfuzzer_sys::fuzz_target;
use rankdcg_arrow_import::{Array, Schema};
use rankdcg_python::{rankdcg_call, rankdcg_call_lists, rankdcg_free};

/// Formats, each with the number of children and of buffers that its arrays have.
const FORMATS: &[(&str, usize, usize)] = &[
    ("l", 0, 2),
    ("g", 0, 2),
    ("+l", 1, 2),
    ("+L", 1, 2),
    ("+s", 2, 1),
    ("+m", 1, 2),
    ("+w:2", 1, 1),
    ("u", 0, 3),
    ("U", 0, 3),
    ("vu", 0, 4),
    ("vz", 0, 3),
    ("+vl", 1, 3),
    ("+vL", 1, 3),
    ("n", 0, 0),
    ("b", 0, 2),
    ("c", 0, 2),
    ("L", 0, 2),
    ("f", 0, 2),
    ("e", 0, 2),
    ("d:9,2", 0, 2),
    ("d:9,2,256", 0, 2),
    ("w:3", 0, 2),
    ("w:-3", 0, 2),
    ("+w:-1", 1, 1),
    ("tsu:", 0, 2),
    ("tin", 0, 2),
    ("+us:0,1", 2, 1),
    ("+ud:0,1", 2, 2),
    ("+r", 2, 0),
    ("?", 0, 2),
    ("", 0, 0),
    ("z", 0, 3),
    ("+w:3", 1, 1),
    ("d:99", 0, 2),
];
/// The size of each buffer in bytes.
const SIZE: usize = 1 << 13;
/// Functions that are called row by row.
const FUNCTIONS: &[&CStr] =
    &[c"ndcg", c"rank_metrics", c"rankdcg", c"ndcg_scored", c"ndcg_rels", c"rank_metrics_at"];
/// Functions that are called on lists of rows.
const GROUPED: &[&CStr] =
    &[c"ndcg_agg", c"err_rows", c"rank_metrics_rows", c"mean_ci", c"rank_metrics_at_rows"];

/// Marks an array as freed.
unsafe extern "C" fn release_array(array: *mut Array) {
    // SAFETY: the struct is the caller's.
    unsafe { (*array).release = None }
}

/// Marks a schema as freed.
unsafe extern "C" fn release_schema(schema: *mut Schema) {
    // SAFETY: the struct is the caller's.
    unsafe { (*schema).release = None }
}

/// Owns everything that the structs point to, and the structs, until the call is over.
#[derive(Default)]
struct Owner(Vec<Box<dyn Any>>);

impl Owner {
    /// Keeps a value, which stays where it is.
    fn keep<T: 'static>(&mut self, value: T) -> *mut T {
        self.0.push(Box::new(value));
        self.0.last_mut().and_then(|kept| kept.downcast_mut()).unwrap()
    }
}

/// The rest of the fuzzer's input.
struct Input<'a>(&'a [u8]);

impl Input<'_> {
    /// The next byte; 0 at the end.
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// A count that is right most of the time.
    fn count(&mut self, right: i64) -> i64 {
        match self.byte() {
            250 => right + 1,
            251 => right - 1,
            252 => -1,
            253 => i64::MIN,
            254 => i64::MAX,
            255 => 1 << 62,
            _ => right,
        }
    }

    /// A small number, sometimes negative.
    fn small(&mut self) -> i64 {
        i64::from(self.byte().cast_signed())
    }

    /// Whether to do something unusual; seldom true.
    fn is_odd(&mut self) -> bool {
        self.byte() > 250
    }

    /// An array of about `length` values, with its schema.
    fn node(&mut self, owner: &mut Owner, depth: usize, length: i64) -> (*mut Array, *mut Schema) {
        let (format, children, buffers) = FORMATS[usize::from(self.byte()) % FORMATS.len()];
        let children = if depth > 5 { 0 } else { children };
        let nodes: Vec<_> = (0..children)
            .map(|_| {
                let length = i64::from(self.byte() % 16);
                self.node(owner, depth + 1, length)
            })
            .collect();
        let dictionary = (depth < 4 && self.byte() > 230).then(|| self.node(owner, depth + 1, 4));
        // There are always eight pointers, so that a count that is wrong by one is still within them.
        let (mut arrays, mut schemas) = ([null_mut(); 8], [null_mut(); 8]);
        for (place, node) in nodes.iter().enumerate() {
            (arrays[place], schemas[place]) = *node;
        }
        let mut pointers = [null(); 8];
        for index in 0..buffers {
            if !(self.is_odd() || (index == 0 && self.byte() < 128)) {
                let buffer = self.buffer(format, index);
                pointers[index] = buffer.as_ptr().cast::<c_void>();
                owner.keep(buffer);
            }
        }
        let names = [c"", c"rel", c"item", c"score", c"\xff"];
        let array = Array {
            // Either within the pointers, or a number that no array can have.
            n_buffers: self.count(buffers as i64),
            length: self.count(length),
            null_count: if self.is_odd() { self.small() } else { -1 },
            offset: if self.byte() > 200 { self.count(i64::from(length > 3)) } else { 0 },
            n_children: self.count(nodes.len() as i64),
            buffers: if self.is_odd() { null() } else { owner.keep(pointers).cast() },
            children: if self.is_odd() { null() } else { owner.keep(arrays).cast() },
            dictionary: dictionary.map_or(null(), |(array, _)| if self.is_odd() { null() } else { array }),
            release: Some(release_array),
            private_data: null_mut(),
        };
        let text = owner.keep(CString::new(format).unwrap_or_default());
        let schema = Schema {
            // SAFETY: the text is kept.
            format: if self.is_odd() { null() } else { unsafe { (*text).as_ptr() } },
            name: names[usize::from(self.byte()) % names.len()].as_ptr(),
            metadata: null(),
            flags: self.small(),
            n_children: self.count(nodes.len() as i64),
            children: if self.is_odd() { null() } else { owner.keep(schemas).cast() },
            dictionary: dictionary.map_or(null(), |(_, schema)| if self.is_odd() { null() } else { schema }),
            release: Some(release_schema),
            private_data: null_mut(),
        };
        (owner.keep(array), owner.keep(schema))
    }

    /// A buffer of numbers, small ones in the width of the type.
    fn buffer(&mut self, format: &str, index: usize) -> Vec<i64> {
        let is_wide =
            index == 1 && matches!(format, "+L" | "U" | "Z" | "+vL") || index == 2 && format == "+vL";
        let is_lengths = format.starts_with('v') && index >= 2;
        let is_offsets = index == 1 && (format.starts_with('+') || matches!(format, "u" | "z" | "U" | "Z"));
        let rises = is_offsets && self.byte() < 200;
        let number = |input: &mut Self, last: &mut i64| {
            *last = if rises { *last + i64::from(input.byte() % 3) } else { input.small() };
            *last
        };
        let mut last = 0;
        let count = SIZE / 8;
        let mut buffer = Vec::with_capacity(count);
        for place in 0..count {
            if place > 40 {
                buffer.push(last);
            } else if is_wide || is_lengths || matches!(format, "l" | "L") {
                buffer.push(number(self, &mut last));
            } else if matches!(format, "g") {
                buffer.push(f64::from(self.byte().cast_signed()).to_bits().cast_signed());
            } else {
                let (low, high) = (number(self, &mut last), number(self, &mut last));
                buffer.push((low & 0xffff_ffff) | (high << 32));
            }
        }
        buffer
    }
}

fuzz_target!(|data: &[u8]| {
    let mut input = Input(data);
    let mut owner = Owner::default();
    let function = usize::from(input.byte());
    let is_grouped = function >= 200;
    let length = i64::from(input.byte() % 5);
    let nodes: Vec<_> =
        (0..if is_grouped { 1 } else { 2 }).map(|_| input.node(&mut owner, 0, length)).collect();
    // SAFETY: the originals are not used any more.
    let (mut arrays, mut schemas): (Vec<Array>, Vec<Schema>) =
        nodes.iter().map(|(array, schema)| unsafe { (array.read(), schema.read()) }).unzip();
    let (mut result, mut result_schema) = (FFI_ArrowArray::empty(), FFI_ArrowSchema::empty());
    let (arrays, schemas) = (arrays.as_mut_ptr().cast(), schemas.as_mut_ptr().cast());
    // SAFETY: pointers are NULL or valid, and buffers are large enough.
    let error = unsafe {
        if is_grouped {
            let name = GROUPED[function % GROUPED.len()].as_ptr();
            rankdcg_call_lists(name, arrays, schemas, &raw mut result, &raw mut result_schema)
        } else {
            let name = FUNCTIONS[function % FUNCTIONS.len()].as_ptr();
            rankdcg_call(name, 2, arrays, schemas, &raw mut result, &raw mut result_schema)
        }
    };
    if !error.is_null() {
        // SAFETY: the error is a text that ends with NUL.
        let message = unsafe { CStr::from_ptr(error) }.to_string_lossy().into_owned();
        // SAFETY: it is not used again.
        unsafe { rankdcg_free(error) };
        assert!(!message.contains("internal error"), "{message}");
    }
});
