//! `plumbline profile`: finds out in which arithmetic a backend computes, and writes its profile.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use plumbline_backend::{Profile, StartError};
use plumbline_conformance::probing::{FunctionError, Row, Time, declared, probe, sweep};

use crate::backends;
use crate::config::Config;
use crate::exit::{Exit, Failure};

const EXAMPLES: &str = "\
Examples:
  plumbline profile --backend onnxruntime
  plumbline profile --backend openvino:option.EXECUTION_MODE_HINT=PERFORMANCE
  plumbline profile --backend \"process:python3 backend.py\" --out mine.toml
  plumbline profile --backend rten --samples 0             the arithmetic only, in seconds

The file that --out writes is a profile, which settings of a backend name (`profile=FILE`).
Exit codes: 0 the backend was probed, 2 the command is wrong, 3 the backend could not start.";

/// Finds out in which arithmetic a backend computes, and how large the errors of its functions are.
///
/// The command judges nothing. It runs small models whose answers tell one arithmetic from the next: whether subnormal
/// numbers become zeros, whether products are fused with sums or computed in tf32, bfloat16, float16 or integers of 8
/// bits, in which type sums of float16 and computations of double are kept, what happens to NaN and infinities, whether
/// answers repeat themselves, and whether indices are checked. Then it measures the largest error of each function.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The backend; may be one of plumbline.toml
    #[arg(long, value_name = "NAME")]
    backend: String,
    /// The file for the profile (TOML) [default: none is written]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The number of floats for each function, besides all numbers of float16; 0 for no functions
    #[arg(long, value_name = "N", default_value_t = 1 << 20)]
    samples: u64,
    /// The longest time for one model, in milliseconds
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    deadline_ms: u64,
}

/// Runs `plumbline profile`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let chosen = Config::in_folder(Path::new("."))?.chosen(std::slice::from_ref(&args.backend))?;
    let [one] = chosen.as_slice() else { bail!("name one backend with --backend") };
    let registry = backends::registry(backends::options_of(one));
    registry.knows(&one.selector)?;
    let mut runner = match registry.start(&one.selector) {
        Ok(runner) => runner,
        Err(error @ StartError::CannotStart { .. }) => {
            return Err(Failure::new(Exit::BackendStart, error.to_string()).into());
        }
        Err(error) => return Err(error.into()),
    };
    let identity = runner.identity().clone();
    println!("{identity} computes as follows:");
    let time = Time { model: Duration::from_millis(args.deadline_ms), until: None };
    let rows = probe(runner.as_mut(), time, &mut |row| println!("{}", line(row)));
    let mut functions = Vec::new();
    if args.samples > 0 {
        println!("\nlargest errors of functions, in ULP, at normal numbers; the bound is that of opencl-full:");
        println!("{:10} {:8} {:>12} {:>8}  {:>24} {:>9}", "operator", "type", "error", "bound", "at", "numbers");
        functions = sweep(runner.as_mut(), time, args.samples, &mut |error| println!("{}", function_line(error)));
        if functions.is_empty() {
            println!("none: the backend answers none of these operators");
        }
    }
    if let Some(path) = &args.out {
        let found = declared(&Profile::default(), &rows, &functions);
        std::fs::write(path, found.to_toml(&identity, &rows))
            .with_context(|| format!("cannot write {}", path.display()))?;
        println!("\n{}", path.display());
    }
    Ok(Exit::Conforms)
}

fn line(row: &Row) -> String {
    let mark = if row.deviation.is_some() { "!" } else { " " };
    format!("{mark} {:38} {}", row.subject, row.found)
}

fn function_line(error: &FunctionError) -> String {
    let FunctionError { operator, dtype, ulp, at, bound, count, .. } = error;
    let beyond = if ulp > bound { "  beyond the bound" } else { "" };
    let name = dtype.to_string();
    format!("{operator:10} {name:8} {ulp:12.3} {bound:8.1}  {at:>24e} {count:>9}{beyond}")
}
