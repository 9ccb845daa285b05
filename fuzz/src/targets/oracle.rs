//! See [`plumbline_fuzz::oracle`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| plumbline_fuzz::oracle(data));
