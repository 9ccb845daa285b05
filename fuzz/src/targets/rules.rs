//! See [`plumbline_fuzz::rules`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| plumbline_fuzz::rules(data));
