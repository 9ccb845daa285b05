//! See [`plumbline_fuzz::text`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| plumbline_fuzz::text(data));
