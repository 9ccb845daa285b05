//! DirectML without Windows, held against every table of `specs/directml`.

mod tables;
