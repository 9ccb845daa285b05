//! `plumbline init`: writes a `plumbline.toml` for a backend, and the template of a backend in Python if there is no
//! backend yet.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use plumbline_backend::Identity;
use plumbline_executor::adapter;

use crate::config;
use crate::exit::{Exit, Failure};
use crate::places::program;

const EXAMPLES: &str = "\
Examples:
  plumbline init                                  for backend.py in this folder; writes one if there is none
  plumbline init --command \"python3 mine.py\"      for a program that speaks the worker protocol
  plumbline init --runtime onnxruntime@1.23.2     for a backend that Plumbline knows (see `plumbline backends`)";

/// Writes a plumbline.toml for a backend, and the template of a backend in Python if there is no backend yet.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The command line of a program that speaks the worker protocol
    #[arg(long, value_name = "CMD", conflicts_with = "runtime")]
    command: Option<String>,
    /// A backend that Plumbline knows
    #[arg(long, value_name = "NAME")]
    runtime: Option<String>,
    /// Replace a plumbline.toml that exists
    #[arg(long)]
    force: bool,
}

/// The template of a backend in Python: the name of the file and its text.
const BACKEND: (&str, &str) = ("backend.py", include_str!("../python/backend.py"));

/// Runs `plumbline init`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let path = PathBuf::from(config::NAME);
    if path.exists() && !args.force {
        bail!("there is a {} already; --force replaces it", path.display());
    }
    let mut written = Vec::new();
    let (key, value) = match (args.command, args.runtime) {
        (Some(command), _) => ("command", command),
        (None, Some(runtime)) => {
            crate::backends::registry(crate::backends::options()).knows(&runtime)?;
            ("runtime", runtime)
        }
        (None, None) => {
            for (name, text) in [adapter::WORKER, adapter::VALUES, BACKEND] {
                if !Path::new(name).exists() {
                    std::fs::write(name, text).with_context(|| name.to_owned())?;
                    written.push(name);
                }
            }
            ("command", format!("{} {}", python(), BACKEND.0))
        }
    };
    let selector = if key == "command" { format!("process:{value}") } else { value.clone() };
    let identity = identity(&selector).map_err(|reason| Failure::new(Exit::BackendStart, reason))?;
    std::fs::write(&path, text(key, &value, &identity.name)).with_context(|| path.display().to_string())?;
    for name in written.into_iter().chain([config::NAME]) {
        println!("wrote {name}");
    }
    println!("{identity} starts and introduces itself. Next:");
    println!("  {} conformance --profile smoke     some cases of every operator, in minutes", program());
    println!("  {} conformance                     what {} says: the gate for CI", program(), config::NAME);
    Ok(Exit::Conforms)
}

/// Returns the name of Python on this machine.
fn python() -> &'static str {
    if cfg!(windows) { "python" } else { "python3" }
}

/// Starts a backend once, to learn its name and version.
fn identity(selector: &str) -> Result<Identity, String> {
    let registry = Arc::new(crate::backends::registry(crate::backends::options()));
    crate::backends::start(&registry, selector, None).map(|subject| subject.identity)
}

/// Returns the text of a `plumbline.toml` with one backend.
fn text(key: &str, value: &str, name: &str) -> String {
    let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let mut text = "\
# What `plumbline conformance` does in this folder. Options of the command line win over this file.

# The number of cases: smoke, ci or nightly.
profile = \"ci\"
# The seed of all cases. The same seed and version of Plumbline give the same cases on every machine.
seed = 0
# Fail if fewer cases than this are judged; unsupported cases do not count. Raise it to the number of cases that a run
# judges, so that a backend that stops answering fails.
floor = 1
# Files of known failures. With `gate`, an entry that matches no result any more fails the run.
expectations = []
gate = true
# Operators (\"Min\", \"Conv-22\"), element types (\"float\") and forms (\"constant-nodes\"); empty for all.
operators = []
element_types = []
forms = []

[limits]
# The longest time for one case, in milliseconds.
deadline_ms = 10000
# The memory that a process of the backend may use (resident, with its children), or \"none\".
memory = \"4GiB\"

[[backend]]
# The name for --backend.
"
    .to_owned();
    text.push_str(&format!("name = {}\n{key} = {}\n", quoted(name), quoted(value)));
    text.push_str(
        "\
# Variables of the backend's environment, limits of this backend alone, the release of ONNX whose texts it implements,
# and what it claims to support: operators and element types for which the answer `unsupported` is a failure.
# environment = { NAME = \"value\" }
# limits = { memory = \"none\", jobs = 1, restarts = 20 }
# onnx = \"1.21\"
# claims = { operators = [\"Add\", \"Conv-22\"], element_types = [\"float\"] }
",
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_that_is_written_can_be_read() {
        let written = text("command", "python3 \"my backend.py\"", "mine");
        let config = config::Config::parse(&written).unwrap();
        let chosen = config.chosen(&[]).unwrap();
        assert_eq!(chosen[0].selector, "process:python3 \"my backend.py\"");
        assert_eq!((config.profile.as_deref(), config.seed, config.floor), (Some("ci"), Some(0), Some(1)));
    }
}
