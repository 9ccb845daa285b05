//! `plumbline.toml`: what a project that tests its own backend asks of every run.

// Over 400 lines: the keys of one file, and how each of them is read.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::ValueEnum;
use plumbline_conformance::{FailKind, Jobs, Pack, Selection};
use plumbline_executor::BackendName;
use plumbline_spec::{Doubles, Products, ReleaseNumber, Unchecked};
use serde::Deserialize;

/// The name of the file, in the folder in which the command runs.
pub const NAME: &str = "plumbline.toml";

/// The contents of `plumbline.toml`. Every key may be left out.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The profile: `smoke`, `ci` or `nightly`.
    pub profile: Option<String>,
    /// The number of cases per cell.
    pub cases: Option<u64>,
    /// The seed of all cases.
    pub seed: Option<u64>,
    /// The operators and operator versions whose cases run.
    #[serde(default)]
    pub operators: Vec<String>,
    /// The element types of the cases that run, as `--dtype` takes them.
    #[serde(default)]
    pub element_types: Vec<String>,
    /// The forms of the cases that run, as `--form` takes them.
    #[serde(default)]
    pub forms: Vec<String>,
    /// The suites that run, as `--suite` takes them.
    #[serde(default)]
    pub suites: Vec<String>,
    /// Files of known verdicts, relative to the folder of `plumbline.toml`.
    #[serde(default)]
    pub expectations: Vec<PathBuf>,
    /// The kinds of failure that do not fail the run, as `--accept` takes them.
    #[serde(default)]
    pub accept: Vec<Accept>,
    /// Whether an expectation that matches no result fails the run.
    pub gate: Option<bool>,
    /// The number of cases that have to be judged on each backend.
    pub floor: Option<u64>,
    /// The folder for the results, relative to the folder of `plumbline.toml`.
    pub out: Option<PathBuf>,
    /// How long a run may take, as `--time` takes it.
    pub time: Option<String>,
    /// The share of the time for minimization, as `--minimize` takes it.
    pub minimize: Option<String>,
    /// The limits of every backend.
    #[serde(default)]
    pub limits: Limits,
    /// The backends of a run that names none.
    #[serde(default, rename = "backend")]
    pub backends: Vec<Backend>,
}

/// A kind of failure that a run may accept: its results count as known ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Accept {
    // A plain comment, because a doc comment would be part of the help: answers that are inaccurate, and not wrong.
    Inaccurate,
}

impl From<Accept> for FailKind {
    fn from(accept: Accept) -> FailKind {
        match accept {
            Accept::Inaccurate => FailKind::Inaccurate,
        }
    }
}

/// The limits of every backend (`[limits]`), or of one.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// The longest time for one case, in milliseconds.
    pub deadline_ms: Option<u64>,
    /// The memory that a process of a backend may use, as `--memory` takes it.
    pub memory: Option<Memory>,
    /// In `[limits]`, the number of threads, each with its own process of each backend. In a backend's own limits, the
    /// number of its processes. Either may be `"auto"`, as in `--jobs`.
    #[serde(default, deserialize_with = "number_or_word")]
    pub jobs: Option<Jobs>,
    /// How often each process of a backend may be started again after it has ended.
    pub restarts: Option<u64>,
}

impl Limits {
    /// Returns these limits. A limit that is not set in them is taken from `others`.
    pub fn or(&self, others: &Limits) -> Limits {
        Limits {
            deadline_ms: self.deadline_ms.or(others.deadline_ms),
            memory: self.memory.or(others.memory),
            jobs: self.jobs.or(others.jobs),
            restarts: self.restarts.or(others.restarts),
        }
    }
}

/// The memory that a process of a backend may use.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub enum Memory {
    /// As much as there is.
    Unlimited,
    /// This many bytes.
    Bytes(u64),
}

impl std::str::FromStr for Memory {
    type Err = String;

    fn from_str(text: &str) -> Result<Memory, String> {
        if text == "none" {
            return Ok(Memory::Unlimited);
        }
        let units = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1u64 << 30)];
        let bytes =
            units.iter().find_map(|(name, unit)| text.strip_suffix(name)?.parse::<u64>().ok()?.checked_mul(*unit));
        match bytes {
            Some(bytes) if bytes > 0 => Ok(Memory::Bytes(bytes)),
            _ => Err(format!("`{text}` is neither a size such as 512MiB or 8GiB nor `none`")),
        }
    }
}

impl TryFrom<String> for Memory {
    type Error = String;

    fn try_from(text: String) -> Result<Memory, String> {
        text.parse()
    }
}

/// A backend of the project.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Backend {
    /// The name by which `--backend` chooses it.
    pub name: String,
    /// The command line of a program that speaks the worker protocol.
    pub command: Option<String>,
    /// A backend that Plumbline knows, as `--backend` takes it: `onnxruntime@1.23.2`.
    pub runtime: Option<String>,
    /// Variables that are set in the environment of its processes.
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// The release of ONNX whose texts the backend implements: `1.21`. It replaces the one in the backend's profile.
    pub onnx: Option<ReleaseNumber>,
    /// A file with keys of a profile, which replace those of the backend's own.
    pub profile: Option<String>,
    /// The table of accuracies by which its functions are judged.
    pub accuracy: Option<String>,
    /// Whether it may flush subnormals to zero.
    pub flush: Option<bool>,
    /// Whether sums of 16-bit floats may be kept in their own type.
    pub low_precision_accumulation: Option<bool>,
    /// Whether products of 16-bit floats may be rounded to their type before they are added up in float.
    pub low_precision_products: Option<bool>,
    /// Whether a session may give other bits when it runs again with the same inputs.
    pub nondeterministic: Option<bool>,
    /// The format to which factors of products of float may be rounded.
    pub products: Option<Products>,
    /// The type in which double is computed.
    pub double: Option<Doubles>,
    /// What it does not check: `["values"]`.
    pub unchecked: Option<BTreeSet<Unchecked>>,
    /// The largest errors of functions in ULP: `{ exp = 4, "sin.half" = 2 }`.
    #[serde(default)]
    pub ulp: BTreeMap<String, f64>,
    /// What this backend claims to support. If this is left out, the backend claims nothing.
    pub claims: Option<Claims>,
    /// How many cases it may be given in one model, as `--pack` takes it.
    #[serde(default, deserialize_with = "number_or_word")]
    pub pack: Option<Pack>,
    /// The limits of this backend. A limit that is left out here is taken from `[limits]`, except `jobs`.
    #[serde(default)]
    pub limits: Limits,
}

/// Reads a number, or a word that the command line takes in its place: `"auto"`.
fn number_or_word<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: std::str::FromStr<Err = String>,
{
    let text = match toml::Value::deserialize(deserializer)? {
        toml::Value::String(text) => text,
        other => other.to_string(),
    };
    text.parse().map(Some).map_err(serde::de::Error::custom)
}

/// What a backend claims to support. An empty list stands for all.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claims {
    /// Operators and operator versions.
    #[serde(default)]
    pub operators: Vec<String>,
    /// Element types.
    #[serde(default)]
    pub element_types: Vec<String>,
}

impl Claims {
    /// Returns the selection of the claimed cases. The error names what is unknown.
    pub fn selection(&self) -> Result<Selection, String> {
        Selection::new(&self.operators, &self.element_types)
    }
}

impl Backend {
    /// Returns the name that selects the backend without `plumbline.toml`.
    fn selector(&self) -> anyhow::Result<String> {
        let name = match (&self.command, &self.runtime) {
            (Some(command), None) => format!("process:{command}"),
            (None, Some(runtime)) => runtime.clone(),
            _ => bail!("the backend `{}` needs a `command` or a `runtime`, and not both", self.name),
        };
        let settings = self.settings();
        if settings.is_empty() {
            return Ok(name);
        }
        let mut name = BackendName::parse(&name);
        name.judged_by.extend(settings);
        Ok(name.to_string())
    }

    /// Returns what the answers are judged by, as the settings of a name.
    fn settings(&self) -> Vec<(String, String)> {
        let unchecked = |what: &BTreeSet<Unchecked>| if what.is_empty() { "none" } else { "values" };
        let keys = [
            ("profile", self.profile.clone()),
            ("accuracy", self.accuracy.clone()),
            ("flush", self.flush.map(|flush| flush.to_string())),
            ("low_precision_accumulation", self.low_precision_accumulation.map(|low| low.to_string())),
            ("low_precision_products", self.low_precision_products.map(|low| low.to_string())),
            ("nondeterministic", self.nondeterministic.map(|may_vary| may_vary.to_string())),
            ("products", self.products.map(|products| products.name().to_owned())),
            ("double", self.double.map(|double| double.name().to_owned())),
            ("unchecked", self.unchecked.as_ref().map(|what| unchecked(what).to_owned())),
        ];
        let keys = keys.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
        keys.chain(self.ulp.iter().map(|(function, ulp)| (format!("ulp.{function}"), ulp.to_string()))).collect()
    }
}

impl Config {
    /// Reads the file in this folder. If there is no such file, no key is set.
    pub fn in_folder(folder: &Path) -> anyhow::Result<Config> {
        let path = folder.join(NAME);
        match std::fs::read_to_string(&path) {
            Ok(text) => Config::parse(&text).with_context(|| path.display().to_string()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Config::default()),
            Err(error) => Err(error).with_context(|| path.display().to_string()),
        }
    }

    /// Parses the text of a file. Errors about a key name its line.
    pub fn parse(text: &str) -> anyhow::Result<Config> {
        let config: Config = toml::from_str(text)?;
        let mut names = BTreeSet::new();
        for backend in &config.backends {
            backend.selector()?;
            if !names.insert(backend.name.as_str()) {
                bail!("two backends are called `{}`", backend.name);
            }
        }
        Ok(config)
    }

    /// Returns the backends that are named, or all backends of this file if none is named.
    ///
    /// # Errors
    /// Fails if one of these backends has both a command and a runtime in the file, or neither.
    pub fn chosen(&self, named: &[String]) -> anyhow::Result<Vec<Chosen>> {
        let of_file = |backend: &Backend| {
            // A backend does not inherit `jobs` of `[limits]`, which is the number of threads of the run.
            let limits = Limits { jobs: backend.limits.jobs, ..backend.limits.or(&self.limits) };
            Ok(Chosen {
                name: backend.name.clone(),
                selector: backend.selector()?,
                environment: backend.environment.clone(),
                limits,
                onnx: backend.onnx,
                claims: backend.claims.clone(),
                pack: backend.pack,
                in_file: true,
            })
        };
        if named.is_empty() {
            return self.backends.iter().map(of_file).collect();
        }
        let chosen = |name: &String| match self.backends.iter().find(|backend| backend.name == *name) {
            Some(backend) => of_file(backend),
            None => Ok(Chosen {
                name: name.clone(),
                selector: name.clone(),
                environment: BTreeMap::new(),
                limits: Limits { jobs: None, ..self.limits.clone() },
                onnx: None,
                claims: None,
                pack: None,
                in_file: false,
            }),
        };
        named.iter().map(chosen).collect()
    }
}

/// A backend of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// The name by which the user chose it.
    pub name: String,
    /// The name that selects it without `plumbline.toml`.
    pub selector: String,
    /// Variables that are set in the environment of its processes.
    pub environment: BTreeMap<String, String>,
    /// What it may use.
    pub limits: Limits,
    /// The release of ONNX that it implements, if it is not the one in its profile.
    pub onnx: Option<ReleaseNumber>,
    /// What it claims to support.
    pub claims: Option<Claims>,
    /// How many cases it may be given in one model. `None` for what is usual.
    pub pack: Option<Pack>,
    /// Whether `plumbline.toml` defines it.
    pub in_file: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backend_may_name_the_release_of_onnx_that_it_implements() {
        let text = |release| format!("[[backend]]\nname = \"mine\"\nruntime = \"cpu\"\nonnx = \"{release}\"\n");
        let chosen = Config::parse(&text("1.21")).unwrap().chosen(&[]).unwrap();
        assert_eq!(chosen[0].onnx.map(|release| release.to_string()), Some("1.21".to_owned()));
        let error = Config::parse(&text("1.99")).unwrap_err().to_string();
        assert!(error.contains("line 4") && error.contains("`1.99` is not a release of ONNX"), "{error}");
    }

    #[test]
    fn what_a_backend_is_judged_by_becomes_settings_of_its_name() {
        let selector = |lines: &str| {
            let config = Config::parse(&format!("[[backend]]\nname = \"mine\"\n{lines}"))?;
            anyhow::Ok(config.chosen(&[])?[0].selector.clone())
        };
        let keys =
            "accuracy = \"cuda\"\nflush = true\nunchecked = [\"values\"]\nulp = { exp = 4, \"sin.half\" = 2.5 }\n";
        let settings = "accuracy=cuda,flush=true,unchecked=values,ulp.exp=4,ulp.sin.half=2.5";
        let with = |runtime: &str| selector(&format!("{runtime}\n{keys}")).unwrap();
        assert_eq!(with("runtime = \"cpu\""), format!("cpu:{settings}"));
        assert_eq!(with("runtime = \"onnxruntime:ep=ggml\""), format!("onnxruntime:ep=ggml,{settings}"));
        assert_eq!(with("command = \"./mine --fast\""), format!("process:./mine --fast,{settings}"));
        let file = selector("runtime = \"rten\"\nprofile = \"a,b.toml\"\nunchecked = []\n").unwrap();
        assert_eq!(file, "rten:profile=a,,b.toml,unchecked=none");
        let narrow = "low_precision_accumulation = true\nlow_precision_products = true\nproducts = \"tf32\"\ndouble = \"float\"\n";
        let narrow = selector(&format!("runtime = \"rten\"\n{narrow}")).unwrap();
        assert_eq!(
            narrow,
            "rten:low_precision_accumulation=true,low_precision_products=true,products=tf32,double=float"
        );
        let error = selector("runtime = \"rten\"\nunchecked = [\"shapes\"]\n").unwrap_err().to_string();
        assert!(error.contains("line 4") && error.contains("unknown variant `shapes`"), "{error}");
    }

    #[test]
    fn names_in_the_file_select_its_backends() {
        let text = "[[backend]]\nname = \"mine\"\ncommand = \"python3 backend.py\"\n\n[[backend]]\nname = \"theirs\"\nruntime = \"onnxruntime@1.23.2\"\n";
        let config = Config::parse(text).unwrap();
        let selectors = |named: &[&str]| -> Vec<String> {
            let named: Vec<String> = named.iter().map(|name| (*name).to_owned()).collect();
            config.chosen(&named).unwrap().into_iter().map(|chosen| chosen.selector).collect()
        };
        assert_eq!(selectors(&[]), ["process:python3 backend.py", "onnxruntime@1.23.2"]);
        assert_eq!(selectors(&["mine"]), ["process:python3 backend.py"]);
        assert_eq!(selectors(&["rten"]), ["rten"]);
    }

    #[test]
    fn limits_of_a_backend_win_over_those_of_all_backends() {
        let text = "[limits]\nmemory = \"1GiB\"\ndeadline_ms = 500\n\n[[backend]]\nname = \"mine\"\ncommand = \"./mine\"\nenvironment = { DEVICE = \"1\" }\nlimits = { memory = \"none\", restarts = 3, jobs = 1 }\n";
        let config = Config::parse(text).unwrap();
        let mine = &config.chosen(&[]).unwrap()[0];
        let limits = Limits {
            deadline_ms: Some(500),
            memory: Some(Memory::Unlimited),
            jobs: Some(Jobs::Count(1)),
            restarts: Some(3),
        };
        assert_eq!(mine.limits, limits);
        assert_eq!(mine.environment["DEVICE"], "1");
        let other = &config.chosen(&["rten".to_owned()]).unwrap()[0];
        assert_eq!(other.limits, Limits { memory: Some(Memory::Bytes(1 << 30)), ..config.limits.clone() });
    }

    #[test]
    fn a_backend_claims_what_its_entry_says() {
        let text = "[[backend]]\nname = \"mine\"\nruntime = \"cpu\"\nclaims = { operators = [\"Add\"] }\n";
        let chosen = &Config::parse(text).unwrap().chosen(&[]).unwrap()[0];
        assert_eq!(chosen.claims, Some(Claims { operators: vec!["Add".to_owned()], element_types: vec![] }));
        assert!(chosen.claims.as_ref().unwrap().selection().unwrap().names_operators());
        let unknown = Claims { operators: vec!["Ad".to_owned()], element_types: vec![] };
        assert!(unknown.selection().unwrap_err().contains("nearest: Add"));
    }

    #[test]
    fn a_backend_may_be_given_cases_in_packs() {
        let pack = |value: &str| {
            let text = format!("[[backend]]\nname = \"mine\"\nruntime = \"cpu\"\npack = {value}\n");
            Config::parse(&text).unwrap().chosen(&[]).unwrap()[0].pack
        };
        assert_eq!(pack("16"), Some(Pack::Cases(16)));
        assert_eq!(pack("\"auto\""), Some(Pack::Auto));
        assert_eq!(pack("\"off\""), Some(Pack::Off));
    }

    #[test]
    fn jobs_are_a_number_or_auto() {
        let jobs = |value: &str| Config::parse(&format!("[limits]\njobs = {value}\n")).map(|config| config.limits.jobs);
        assert_eq!(jobs("3").unwrap(), Some(Jobs::Count(3)));
        assert_eq!(jobs("\"auto\"").unwrap(), Some(Jobs::Auto));
        let error = format!("{:#}", jobs("\"many\"").unwrap_err());
        assert!(error.contains("`many` is neither a number of processes nor auto"), "{error}");
    }

    #[test]
    fn errors_name_the_line_or_the_backend() {
        let error = |text: &str| format!("{:#}", Config::parse(text).unwrap_err());
        assert!(error("profile = \"ci\"\nsead = 7\n").contains("line 2, column 1"));
        assert!(error("profile = \"ci\"\nsead = 7\n").contains("unknown field `sead`"));
        assert!(error("accept = [\"wrong-value\"]\n").contains("unknown variant `wrong-value`, expected `inaccurate`"));
        assert!(error("[limits]\nmemory_mb = 1\n").contains("unknown field `memory_mb`"));
        let packs = error("[[backend]]\nname = \"a\"\nruntime = \"cpu\"\npack = 1\n");
        assert!(packs.contains("line 4") && packs.contains("`1` is neither a number of cases from 2"), "{packs}");
        assert!(error("[limits]\nmemory = \"much\"\n").contains("`much` is neither a size such as 512MiB or 8GiB"));
        let twice = "[[backend]]\nname = \"a\"\ncommand = \"x\"\n[[backend]]\nname = \"a\"\ncommand = \"y\"\n";
        assert_eq!(error(twice), "two backends are called `a`");
        let neither = "[[backend]]\nname = \"a\"\n";
        assert_eq!(error(neither), "the backend `a` needs a `command` or a `runtime`, and not both");
    }
}
