//! `plumbline init`: writes a `plumbline.toml` for a backend, and the template of a backend in Python if there is no
//! backend yet.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use indicatif::ProgressBar;
use plumbline_backend::{Identity, Profile, Runner};
use plumbline_conformance::probing::{Declared, Row, Time, declared, probe, sweep};
use plumbline_executor::adapter;

use crate::config;
use crate::exit::{Exit, Failure};
use crate::places::program;

const EXAMPLES: &str = "\
Examples:
  plumbline init                                  for backend.py in this folder; writes one if there is none
  plumbline init --command \"python3 mine.py\"      for a program that speaks the worker protocol
  plumbline init --runtime onnxruntime@1.23.2     for a backend that Plumbline knows (see `plumbline backends`)
  plumbline init --runtime rten --no-profile      without measuring in which arithmetic it computes";

/// Writes a plumbline.toml for a backend, and the template of a backend in Python if there is no backend yet.
///
/// The command measures in which arithmetic the backend computes, as `plumbline profile` does, and writes down what the
/// backend does not declare itself. A backend that takes longer than ten seconds for this is not measured, and the
/// template of a backend is not either.
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
    /// Do not measure in which arithmetic the backend computes
    #[arg(long)]
    no_profile: bool,
}

/// How long the measurement may take.
const QUICK: Duration = Duration::from_secs(10);

/// How long one model of the measurement may take.
const MODEL: Duration = Duration::from_secs(2);

/// The number of floats for each function, besides all numbers of float16.
const SAMPLES: u64 = 1 << 16;

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
    // The template computes with ONNX's reference evaluator, until it gets a runtime.
    let is_skipped = args.no_profile || written.contains(&BACKEND.0);
    let measured = if is_skipped { Measured::Skipped } else { measured(&selector, &identity)? };
    let text = text(key, &value, &identity.name, &measured.text());
    std::fs::write(&path, text).with_context(|| path.display().to_string())?;
    for name in written.into_iter().chain([config::NAME]) {
        println!("wrote {name}");
    }
    match &measured {
        Measured::Keys { keys, .. } if keys.is_empty() => println!("measured: nothing that it does not declare itself"),
        Measured::Keys { keys, .. } => println!("measured and written into {}: {}", config::NAME, keys.join(", ")),
        Measured::Slow => println!("not measured within {} s", QUICK.as_secs()),
        Measured::Skipped => {}
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

/// What is known of the arithmetic of a backend.
enum Measured {
    /// It was not asked for.
    Skipped,
    /// There was not enough time.
    Slow,
    /// What was found: keys of a backend in `plumbline.toml`, and comments on them.
    Keys { comments: Vec<String>, keys: Vec<String> },
}

impl Measured {
    /// Returns lines of `plumbline.toml`.
    fn text(&self) -> String {
        let Measured::Keys { comments, keys } = self else {
            return "# `plumbline profile` finds out in which arithmetic the backend computes.\n".to_owned();
        };
        let mut text = "# Measured by `plumbline init`, where the backend declares something else: ".to_owned();
        if comments.is_empty() && keys.is_empty() {
            return text + "nothing.\n";
        }
        text += "keep what the backend\n# is meant to do, and delete what is a fault of it. `plumbline profile` measures more numbers.\n";
        comments.iter().for_each(|comment| _ = writeln!(text, "# {comment}"));
        keys.iter().for_each(|key| _ = writeln!(text, "{key}"));
        text
    }
}

/// Measures in which arithmetic a backend computes.
fn measured(selector: &str, identity: &Identity) -> anyhow::Result<Measured> {
    let registry = crate::backends::registry(crate::backends::options());
    let mut runner = registry.start(selector).map_err(|error| Failure::new(Exit::BackendStart, error.to_string()))?;
    eprintln!("measuring {identity} for at most {} s; --no-profile leaves this out", QUICK.as_secs());
    // It shows nothing if stderr is no terminal.
    let bar = ProgressBar::new_spinner();
    let measured = measured_within(runner.as_mut(), QUICK, &|what| {
        bar.set_message(what.to_owned());
        bar.tick();
    });
    bar.finish_and_clear();
    Ok(measured)
}

fn measured_within(runner: &mut dyn Runner, limit: Duration, progress: &dyn Fn(&str)) -> Measured {
    let own = runner.profile().clone();
    let time = Time { model: MODEL, until: Some(Instant::now() + limit) };
    let rows = probe(runner, time, &mut |row| progress(&row.subject));
    if time.is_over() {
        return Measured::Slow;
    }
    let functions = sweep(runner, time, SAMPLES, &mut |error| progress(error.operator));
    let found = declared(&own, &rows, &functions);
    let is_deviation = |row: &&Row| row.deviation.is_some();
    let rows = rows.iter().filter(is_deviation).map(|row| format!("{} {}", row.subject, row.found));
    let wrong = found
        .wrong
        .iter()
        .map(|error| format!("{} of {} is off by {:.0} ULP at {:e}", error.operator, error.dtype, error.ulp, error.at));
    let late = time.is_over().then(|| "The errors of some functions are not measured: the time was over.".to_owned());
    Measured::Keys { comments: rows.chain(wrong).chain(late).collect(), keys: keys(&own, &found) }
}

/// Returns the keys of a backend in `plumbline.toml` for what was found and its own profile does not declare.
fn keys(own: &Profile, Declared { profile, .. }: &Declared) -> Vec<String> {
    let is_new = |was: bool, is: bool| is && !was;
    let keys = [
        (is_new(own.flush_subnormals, profile.flush_subnormals), "flush = true".to_owned()),
        (
            is_new(own.low_precision_accumulation, profile.low_precision_accumulation),
            "low_precision_accumulation = true".to_owned(),
        ),
        (is_new(own.nondeterministic, profile.nondeterministic), "nondeterministic = true".to_owned()),
        (own.products != profile.products, format!("products = \"{}\"", profile.products.name())),
        (own.double != profile.double, format!("double = \"{}\"", profile.double.name())),
        (own.unchecked != profile.unchecked, "unchecked = [\"values\"]".to_owned()),
        (own.accuracy != profile.accuracy, format!("accuracy = \"{}\"", profile.accuracy)),
    ];
    let mut keys: Vec<String> = keys.into_iter().filter(|(is_new, _)| *is_new).map(|(_, key)| key).collect();
    let mut bounds = Vec::new();
    for (function, ulp) in &profile.ulp {
        let before = own.ulp.get(function).copied().unwrap_or_default();
        for (kind, was, is) in [("half", before.half, ulp.half), ("float", before.float, ulp.float)] {
            bounds.extend(is.filter(|_| was != is).map(|bound| format!("\"{function}.{kind}\" = {bound:.1}")));
        }
    }
    if !bounds.is_empty() {
        keys.push(format!("ulp = {{ {} }}", bounds.join(", ")));
    }
    keys
}

/// Returns the text of a `plumbline.toml` with one backend. `measured` has lines on its arithmetic.
fn text(key: &str, value: &str, name: &str, measured: &str) -> String {
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
    text.push_str(&format!("name = {}\n{key} = {}\n{measured}", quoted(name), quoted(value)));
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
    use plumbline_backend::{Local, mock};
    use plumbline_spec::{Doubles, Products, Ulp, Unchecked};

    use super::*;

    #[test]
    fn a_slow_backend_is_not_measured() {
        let mut runner = Local::new(Box::new(mock::Simple::default()));
        assert!(matches!(measured_within(&mut runner, Duration::ZERO, &|_| {}), Measured::Slow));
        assert!(matches!(measured_within(&mut runner, Duration::from_secs(600), &|_| {}), Measured::Keys { .. }));
    }

    #[test]
    fn the_file_that_is_written_can_be_read() {
        let own = Profile::default();
        let exp = ("exp".to_owned(), Ulp { float: Some(7.0), half: Some(3.5), double: None });
        let profile = Profile {
            flush_subnormals: true,
            low_precision_accumulation: true,
            nondeterministic: true,
            products: Products::Tf32,
            double: Doubles::Float,
            unchecked: [Unchecked::Values].into(),
            ulp: [exp].into(),
            ..Profile::of_cpu()
        };
        let keys = keys(&own, &Declared { profile, wrong: vec![] });
        let measured = Measured::Keys { comments: vec!["sums of float16 are in float16".to_owned()], keys };
        let written = text("command", "python3 \"my backend.py\"", "mine", &measured.text());
        let config = config::Config::parse(&written).unwrap();
        let chosen = config.chosen(&[]).unwrap();
        let settings = "accuracy=ieee-754,flush=true,low_precision_accumulation=true,nondeterministic=true,products=tf32,\
                        double=float,unchecked=values,ulp.exp.float=7,ulp.exp.half=3.5";
        assert_eq!(chosen[0].selector, format!("process:python3 \"my backend.py\",{settings}"));
        assert_eq!((config.profile.as_deref(), config.seed, config.floor), (Some("ci"), Some(0), Some(1)));
    }
}
