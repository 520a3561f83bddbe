//! Arrow arrays whose counts, pointers and values are whatever the bytes say: they are evaluated, or refused with a
//! sentence.
//!
//! What cannot be checked holds: pointers are NULL or valid, and there is more memory behind each buffer than any
//! length here can want.
#![no_main]

use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr::null_mut;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use libfuzzer_sys::fuzz_target;
use rankdcg_python::{rankdcg_call, rankdcg_call_lists, rankdcg_free};

/// Formats, and how many children and buffers their arrays have.
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
/// How many bytes a buffer has: as many as 32 values of the widest type want.
const SIZE: usize = 1 << 13;
const FUNCTIONS: &[&CStr] =
    &[c"ndcg", c"rank_metrics", c"rankdcg", c"ndcg_scored", c"ndcg_rels", c"rank_metrics_at"];
const GROUPED: &[&CStr] =
    &[c"ndcg_agg", c"err_rows", c"rank_metrics_rows", c"mean_ci", c"rank_metrics_at_rows"];

#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private_data: *mut c_void,
}

unsafe extern "C" fn release_array(array: *mut Array) {
    // SAFETY: the struct is the caller's.
    unsafe { (*array).release = None }
}

unsafe extern "C" fn release_schema(schema: *mut Schema) {
    // SAFETY: the struct is the caller's.
    unsafe { (*schema).release = None }
}

/// What the structs point to; it lives longer than they do.
#[derive(Default)]
struct Kept {
    arrays: Vec<Box<Array>>,
    schemas: Vec<Box<Schema>>,
    buffers: Vec<Vec<i64>>,
    pointers: Vec<Box<[*const c_void]>>,
    array_pointers: Vec<Box<[*mut Array]>>,
    schema_pointers: Vec<Box<[*mut Schema]>>,
    texts: Vec<CString>,
}

struct Input<'a>(&'a [u8]);

impl Input<'_> {
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

    fn is_odd(&mut self) -> bool {
        self.byte() > 250
    }

    fn node(&mut self, kept: &mut Kept, depth: usize, length: i64) -> (*mut Array, *mut Schema) {
        let (format, children, buffers) = FORMATS[usize::from(self.byte()) % FORMATS.len()];
        let children = if depth > 5 { 0 } else { children };
        let nodes: Vec<_> = (0..children)
            .map(|_| {
                let length = i64::from(self.byte() % 16);
                self.node(kept, depth + 1, length)
            })
            .collect();
        let dictionary = (depth < 4 && self.byte() > 230).then(|| self.node(kept, depth + 1, 4));
        // Always eight pointers, whatever the count says next to the right one.
        let mut arrays: Vec<*mut Array> = nodes.iter().map(|(array, _)| *array).collect();
        let mut schemas: Vec<*mut Schema> = nodes.iter().map(|(_, schema)| *schema).collect();
        arrays.resize(8, null_mut());
        schemas.resize(8, null_mut());
        let mut pointers = Vec::new();
        for index in 0..8 {
            if index >= buffers || self.is_odd() || (index == 0 && self.byte() < 128) {
                pointers.push(std::ptr::null());
                continue;
            }
            let buffer = self.buffer(format, index);
            pointers.push(buffer.as_ptr().cast());
            kept.buffers.push(buffer);
        }
        kept.pointers.push(pointers.into());
        kept.array_pointers.push(arrays.into());
        kept.schema_pointers.push(schemas.into());
        let names = [c"", c"rel", c"item", c"score", c"\xff"];
        kept.texts.push(CString::new(format).unwrap_or_default());
        let buffers_counted = self.count(i64::try_from(buffers).unwrap_or(0));
        kept.arrays.push(Box::new(Array {
            length: self.count(length),
            null_count: if self.is_odd() { self.small() } else { -1 },
            offset: if self.byte() > 200 { self.count(i64::from(length > 3)) } else { 0 },
            // No more than the pointers that there are, or what no array can have.
            n_buffers: buffers_counted,
            n_children: self.count(nodes.len() as i64),
            buffers: if self.is_odd() { null_mut() } else { kept.pointers.last_mut().unwrap().as_mut_ptr() },
            children: if self.is_odd() {
                null_mut()
            } else {
                kept.array_pointers.last_mut().unwrap().as_mut_ptr()
            },
            dictionary: dictionary
                .map_or(null_mut(), |(array, _)| if self.is_odd() { null_mut() } else { array }),
            release: Some(release_array),
            private_data: null_mut(),
        }));
        kept.schemas.push(Box::new(Schema {
            format: if self.is_odd() { null_mut() } else { kept.texts.last().unwrap().as_ptr() },
            name: names[usize::from(self.byte()) % names.len()].as_ptr(),
            metadata: null_mut(),
            flags: self.small(),
            n_children: self.count(nodes.len() as i64),
            children: if self.is_odd() {
                null_mut()
            } else {
                kept.schema_pointers.last_mut().unwrap().as_mut_ptr()
            },
            dictionary: dictionary
                .map_or(null_mut(), |(_, schema)| if self.is_odd() { null_mut() } else { schema }),
            release: Some(release_schema),
            private_data: null_mut(),
        }));
        (&raw mut **kept.arrays.last_mut().unwrap(), &raw mut **kept.schemas.last_mut().unwrap())
    }

    /// Values that are small as numbers of the width that the type has.
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
    let mut kept = Kept::default();
    let function = usize::from(input.byte());
    let is_grouped = function >= 200;
    let length = i64::from(input.byte() % 5);
    let nodes: Vec<_> =
        (0..if is_grouped { 1 } else { 2 }).map(|_| input.node(&mut kept, 0, length)).collect();
    // SAFETY: copies of structs that are used no more.
    let (mut arrays, mut schemas): (Vec<Array>, Vec<Schema>) =
        nodes.iter().map(|(array, schema)| unsafe { (array.read(), schema.read()) }).unzip();
    let (mut result, mut result_schema) = (FFI_ArrowArray::empty(), FFI_ArrowSchema::empty());
    let (arrays, schemas) = (arrays.as_mut_ptr().cast(), schemas.as_mut_ptr().cast());
    // SAFETY: the structs are as the interface says, as far as that cannot be checked.
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
        // SAFETY: the error is a text of the library.
        let message = unsafe { CStr::from_ptr(error) }.to_string_lossy().into_owned();
        // SAFETY: it is not used again.
        unsafe { rankdcg_free(error) };
        assert!(!message.contains("internal error"), "{message}");
    }
});
