//! `plumbline`: tests whether a backend of ONNX operators conforms to the specification.

use std::process::ExitCode;

use clap::Parser;
use plumbline::exit::{self, Exit};

/// Tensors are allocated and freed all the time; this allocator reuses their pages.
#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const EXAMPLES: &str = "\
Examples:
  plumbline conformance              every operator on every available backend
  plumbline replay ID --backend rten run one case again and show the answers of the oracle and of the backend
  plumbline compare before after     what regressed, what was fixed and what changed between two runs
  plumbline spec show Min            every version of Min, its types and rules
  plumbline spec diff Min 6 8        what changed between two versions
  plumbline suite fetch onnx:1.23.2  the cases that ONNX published with this release

Exit codes:
  0  conforms
  1  does not conform
  2  wrong usage or data
  3  a backend could not start
  4  fewer judged cases than the floor, work without a result, or nothing to run";

/// Tests whether a backend of ONNX operators conforms to the specification.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: plumbline::Command,
}

fn main() -> ExitCode {
    let arguments: Arguments = plumbline::parse();
    match plumbline::check_data().and_then(|()| arguments.command.run()) {
        Ok(exit) => exit.into(),
        Err(error) => {
            exit::print_error(&error);
            Exit::of_error(&error).into()
        }
    }
}
