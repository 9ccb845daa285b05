//! See [`plumbline_fuzz::results`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| plumbline_fuzz::results(data));
