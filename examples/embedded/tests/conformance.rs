//! Tests the toy runtime against the specification, with one trial for each cell: `cargo test` or `cargo nextest run`.

use std::process::ExitCode;

use plumbline_conformance::harness::Suite;
use plumbline_embedded_example::Toy;

fn main() -> ExitCode {
    Suite::new("toy", || Box::new(Toy::default()))
        .operators(["Min", "Floor", "Expand"])
        .cases(20)
        .expectations(concat!(env!("CARGO_MANIFEST_DIR"), "/toy.toml"))
        .floor(10)
        .main()
}
