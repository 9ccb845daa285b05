//! `plumbline doctor`: checks the adapter of a backend before its first run.

use std::path::Path;
use std::time::Duration;

use anyhow::bail;
use plumbline_backend::StartError;
use plumbline_conformance::doctor::{Check, Status, examine};

use crate::backends;
use crate::colour::{Colour, Paint};
use crate::config::{self, Config};
use crate::exit::{Exit, Failure};

const EXAMPLES: &str = "\
Examples:
  plumbline doctor --backend \"process:python3 backend.py\"     a program that speaks the worker protocol
  plumbline doctor                                            the backends of plumbline.toml in this folder
  plumbline doctor --backend onnxruntime                      a backend that Plumbline knows

Each check is a line: ok, wrong, or not checked. The lines below a wrong check say what was found, and what to
change in the adapter. A hint does not make a check wrong.
Exit codes: 0 nothing is wrong, 1 something is wrong, 3 the backend could not start.";

/// Checks the adapter of a backend before its first run. The adapter is the program that speaks the worker protocol.
///
/// The command does not judge operators. It runs small models of operators that nearly every runtime has, such as
/// Identity. They show whether tensors of each type come back as they were sent, whether inputs and outputs keep their
/// order, whether refusals have the right kind, and whether the process can run many cases and start again. This
/// usually takes less than a minute.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The backend; may be one of plumbline.toml [default: all of plumbline.toml]
    #[arg(long = "backend", value_name = "NAME")]
    backends: Vec<String>,
    /// The longest time for one case, in milliseconds
    #[arg(long, value_name = "N", default_value_t = 5000)]
    deadline_ms: u64,
}

/// Runs `plumbline doctor`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let chosen = Config::in_folder(Path::new("."))?.chosen(&args.backends)?;
    if chosen.is_empty() {
        bail!("name a backend with --backend, or in {} (`plumbline init` writes one)", config::NAME);
    }
    let registry = backends::registry(backends::options());
    chosen.iter().try_for_each(|chosen| registry.knows(&chosen.selector))?;
    let deadline = Duration::from_millis(args.deadline_ms);
    let mut exit = Exit::Conforms;
    for (number, one) in chosen.iter().enumerate() {
        if number > 0 {
            println!();
        }
        println!("The adapter of {}:", one.selector);
        let registry = backends::registry(backends::options_of(one));
        match examine(|| registry.start(&one.selector), deadline, &mut |check| {
            print!("{}", text(check, Paint::stdout()))
        }) {
            Ok(checks) => {
                let count = |status| checks.iter().filter(|check| check.status() == status).count();
                let (ok, wrong) = (count(Status::Ok), count(Status::Wrong));
                println!("{ok} ok, {wrong} wrong, {} not checked", count(Status::NotChecked));
                if wrong > 0 && exit == Exit::Conforms {
                    exit = Exit::DoesNotConform;
                }
            }
            Err(error @ StartError::CannotStart { .. }) if chosen.len() == 1 => {
                return Err(Failure::new(Exit::BackendStart, error.to_string()).into());
            }
            Err(error @ StartError::CannotStart { .. }) => {
                eprintln!("error: {error}");
                exit = Exit::BackendStart;
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(exit)
}

/// Returns the lines of a check: its result, and below it what is wrong and what could be better.
fn text(check: &Check, paint: Paint) -> String {
    let status = check.status();
    let colour = match status {
        Status::Ok => Colour::Green,
        Status::Wrong => Colour::Red,
        Status::NotChecked => Colour::Yellow,
    };
    let status = paint.paint(colour, &format!("{status:11}"));
    let mut text = format!("{status}  {:16}  {}", check.name, check.summary).trim_end().to_owned() + "\n";
    for problem in &check.problems {
        text += &format!("    found   {}\n    change  {}\n", problem.found, problem.advice);
    }
    for hint in &check.hints {
        text += &format!("    hint    {hint}\n");
    }
    text
}
