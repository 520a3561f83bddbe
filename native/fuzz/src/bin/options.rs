//! Options as text: they are read, or refused with a sentence.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use rankdcg_core::{Function, functions};

/// Every function of the catalogue.
static FUNCTIONS: LazyLock<Vec<&Function>> = LazyLock::new(|| functions().iter().collect());

fuzz_target!(|data: &[u8]| {
    if let [index, text @ ..] = data {
        let function = FUNCTIONS[usize::from(*index) % FUNCTIONS.len()];
        if let Err(error) = function.check(&[1], &String::from_utf8_lossy(text)) {
            assert!(!error.to_string().is_empty());
        }
    }
});
