//! See [`plumbline_fuzz::frames`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| plumbline_fuzz::frames(data));
