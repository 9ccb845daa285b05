// Over 400 lines: the registry, with everything that is done with a backend by its name.
//! [`Registry`]: the backends by name, and how each is started.

mod adapters;
mod bodies;
mod directml;
mod entry;
mod foreign;
mod inferring;
mod interface;
mod judged;
mod name;
mod onnxruntime;
#[cfg(any(feature = "rten", feature = "tract"))]
mod optimization;
mod rewriters;
mod rewriting;
mod rewritten;
mod stamped;

use std::ffi::OsString;
use std::path::PathBuf;

use crate::mock::{Mock, Simple};
use crate::worker::{Channel, ChannelError, Command, Limits, Pool, StartError, Worker};
use crate::{Backend, Identity, Local, Runner};

use entry::{CommandLine, Entry, Needs, Place};
pub use name::BackendName;

/// Options for starting backends.
#[derive(Clone, Debug)]
pub struct Options {
    /// The command line that starts a worker; `--backend NAME --libraries FOLDER` are added to it. By default, it is
    /// the running program with the argument `worker`.
    pub worker: Option<Command>,
    /// The limits of a worker. [`Limits::address_space_bytes`] does not apply to `process:CMD`, to adapters, or to ONNX
    /// Runtime with settings, such as an execution provider.
    pub limits: Limits,
    /// Variables that are set in the environment of workers, besides those of this process.
    pub environment: Vec<(OsString, OsString)>,
    /// The folder of the runtimes' shared libraries, with one folder for each runtime and version.
    pub libraries: PathBuf,
    /// Whether a runtime that is not installed may be fetched when it is started.
    pub fetch: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            worker: None,
            limits: Limits::default(),
            environment: vec![],
            libraries: PathBuf::from("target"),
            fetch: true,
        }
    }
}

/// A backend, and whether it can be started.
#[derive(Clone, Debug)]
pub struct Available {
    /// The name by which it is chosen.
    pub name: String,
    /// A description in one line.
    pub about: String,
    /// The identity of the backend that has this name; or why it cannot be started, and what to do about it.
    pub state: Result<Identity, String>,
    /// Whether a run that names no backend includes this one, even if only to report why it cannot start. Such a run
    /// leaves out adapters that are not fetched, and all rewriters.
    pub is_default: bool,
}

/// The registry of all backends, which starts them by name.
pub struct Registry {
    options: Options,
    entries: Vec<Entry>,
}

const PROCESS: &str = "process";
const MOCK: &str = "mock";

impl Registry {
    /// Returns a registry of the backends of this crate. [`Registry::with`] adds the oracle and backends from
    /// elsewhere.
    pub fn new(options: Options) -> Registry {
        let registry = Registry { options, entries: Vec::new() };
        let registry = registry.with_cpu().with_directml_software().with_directml().with_rten().with_tract();
        registry.with_onnxruntime().with_onnxruntime_directml().with_adapters().with_rewriters()
    }

    #[cfg(feature = "cpu")]
    fn with_cpu(self) -> Registry {
        let cpu = |_: &BackendName| Ok(Box::new(crate::cpu::Cpu::new()) as Box<dyn Backend>);
        self.with_worker("cpu", "our own kernels for this machine, built in", cpu)
    }

    #[cfg(not(feature = "cpu"))]
    fn with_cpu(self) -> Registry {
        self
    }

    #[cfg(feature = "rten")]
    fn with_rten(self) -> Registry {
        self.with_optimized("rten", "the rten crate, built in", |is_optimized| {
            Box::new(crate::rten::Rten::new(is_optimized))
        })
    }

    #[cfg(not(feature = "rten"))]
    fn with_rten(self) -> Registry {
        self.with("rten", "the rten crate", |name| {
            Err(StartError::cannot_start(name, "this program is built without the feature `rten`"))
        })
    }

    #[cfg(feature = "tract")]
    fn with_tract(self) -> Registry {
        self.with_optimized("tract", "the tract crate, built in", |is_optimized| {
            Box::new(crate::tract::Tract::new(is_optimized))
        })
    }

    #[cfg(not(feature = "tract"))]
    fn with_tract(self) -> Registry {
        self
    }

    /// Adds a backend of safe Rust, which runs in this process. `mock:MODE` wraps the backend named `reference`, if
    /// there is one.
    pub fn with(
        self,
        base: &str,
        about: &str,
        construct: impl Fn(&BackendName) -> Result<Box<dyn Backend>, StartError> + Send + Sync + 'static,
    ) -> Registry {
        self.entry_added(base, about, Place::Here(Box::new(move |name, _| construct(name))), Needs::default())
    }

    /// Adds a backend that may crash its process. It is therefore constructed only in a worker.
    pub fn with_worker(
        self,
        base: &str,
        about: &str,
        construct: impl Fn(&BackendName) -> Result<Box<dyn Backend>, StartError> + Send + Sync + 'static,
    ) -> Registry {
        self.entry_added(base, about, Place::Worker(Box::new(move |name, _| construct(name))), Needs::default())
    }

    fn entry_added(mut self, base: &str, about: &str, place: Place, needs: Needs) -> Registry {
        let (base, about) = (base.to_owned(), about.to_owned());
        self.entries.push(Entry { base, about, place, needs });
        self
    }

    fn entry(&self, name: &BackendName) -> Result<&Entry, StartError> {
        self.entries.iter().find(|e| e.base == name.base).ok_or_else(|| {
            let mut known: Vec<&str> = self.entries.iter().map(|e| e.base.as_str()).collect();
            known.extend(["process:CMD", "mock:MODE"]);
            StartError::Unknown { name: name.to_string(), known: known.join(", ") }
        })
    }

    /// Returns the names of all backends, installed or not, except `process:CMD` and `mock:MODE`.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.base.as_str())
    }

    /// Checks that a backend has this name, installed or not. The error lists the known names, or says what is wrong
    /// with the version or the argument.
    pub fn knows(&self, name: &str) -> Result<(), StartError> {
        let name = BackendName::parse(name);
        self.settings(&name)?;
        bodies::check(&name)?;
        if [PROCESS, MOCK].contains(&name.base.as_str()) {
            return Ok(());
        }
        match &self.entry(&name)?.needs.check {
            Some(check) => check(&name).map_err(|reason| StartError::Misnamed { name: name.to_string(), reason }),
            None => Ok(()),
        }
    }

    /// Returns the passes of the graph optimizer of a backend that can be left out one by one, which may be none, and
    /// then settings of the name that can be left out like a pass: `memory_pattern=on`. `None` if the backend has no
    /// optimizer that can be switched off, or if its name says already what to leave out.
    pub fn passes(&self, name: &str) -> Option<Vec<&'static str>> {
        let name = BackendName::parse(name);
        let passes = self.entry(&name).ok()?.needs.passes?;
        passes(&name)
    }

    /// Returns the name of the same backend without these passes of its graph optimizer and settings, or without its
    /// optimizer and all settings that can be left out like a pass if none is named.
    pub fn without(&self, name: &str, passes: &[&str]) -> String {
        let known = self.passes(name).unwrap_or_default();
        let mut name = BackendName::parse(name);
        let own = name.argument.unwrap_or_default();
        let is_left_out = |setting: &str| match passes {
            [] => setting.starts_with("optimization=") || known.contains(&setting),
            _ => passes.contains(&setting),
        };
        let kept: Vec<&str> = own.split(',').filter(|setting| !setting.is_empty() && !is_left_out(setting)).collect();
        let named: Vec<&str> = passes.iter().copied().filter(|pass| !own.split(',').any(|own| own == *pass)).collect();
        let more = match (passes, named.as_slice()) {
            ([], _) => "optimization=none".to_owned(),
            (_, []) => String::new(),
            (_, named) => format!("disable={}", named.join("+")),
        };
        let settings = kept.into_iter().chain([more.as_str()]).filter(|setting| !setting.is_empty());
        name.argument = Some(settings.collect::<Vec<_>>().join(",")).filter(|argument| !argument.is_empty());
        name.to_string()
    }

    fn mock(&self, name: &BackendName) -> Result<Mock, StartError> {
        let inner: Box<dyn Backend> = match self.entries.iter().find(|e| e.base == crate::ORACLE) {
            Some(reference) => reference.construct(&BackendName::parse(crate::ORACLE), &self.options)?,
            None => Box::new(Simple::default()),
        };
        Mock::new(name.argument.as_deref().unwrap_or("ok"), inner)
            .map_err(|reason| StartError::cannot_start(name, reason))
    }

    /// Reads the settings that any backend may have.
    fn settings(&self, name: &BackendName) -> Result<judged::Settings, StartError> {
        judged::Settings::read(name).map_err(|reason| StartError::Misnamed { name: name.to_string(), reason })
    }

    /// Starts a backend in this process or in a worker, depending on the backend. Its requirements are fetched first if
    /// the options allow that. Its profile is its own, with what the built-in profile of its provider and the settings
    /// of its name replace in it.
    pub fn start(&self, name: &str) -> Result<Box<dyn Runner>, StartError> {
        let name = BackendName::parse(name);
        let settings = self.settings(&name)?;
        let runner = settings.judge(&name, self.start_plain(name.plain())?);
        match name.body_release() {
            Some(_) => self.with_bodies(&name, runner),
            None => Ok(runner),
        }
    }

    fn start_plain(&self, name: BackendName) -> Result<Box<dyn Runner>, StartError> {
        if name.base == PROCESS {
            return Ok(Box::new(self.worker(process_command(&name)?, self.program_limits())?));
        }
        if name.base == MOCK {
            // An unknown mode is reported here, without starting a worker.
            self.mock(&name)?;
            return self.start_worker(&name);
        }
        let entry = self.entry(&name)?;
        if let Some(machine) = &entry.needs.machine {
            machine(&name).map_err(|reason| StartError::cannot_start(&name, reason))?;
        }
        let ready = if self.options.fetch { &entry.needs.fetch } else { &entry.needs.at_hand };
        if let Some(ready) = ready {
            ready(&name, &self.options.libraries).map_err(|reason| StartError::cannot_start(&name, reason))?;
        }
        match &entry.place {
            Place::Here(construct) => Ok(Box::new(Local::new(construct(&name, &self.options)?))),
            Place::Worker(_) => self.start_worker(&name),
            Place::Program(command) => Ok(Box::new(stamped::Stamped::new(self.program(&name, command)?))),
            Place::Rewriter(command) => {
                let answers = rewritten::Answers::new(self.runtime(), rewriters::task(&name));
                let answers = answers.with_coverage(rewriters::covers(&name));
                Ok(Box::new(rewriting::Rewriting::new(self.program(&name, command)?, answers)))
            }
        }
    }

    /// Starts somebody else's program, which speaks the worker protocol.
    fn program(&self, name: &BackendName, command: &CommandLine) -> Result<Worker, StartError> {
        self.worker(command(name, &self.options)?, self.program_limits()).map_err(|error| error.of_backend(name))
    }

    /// Returns the runtime for rewritten models that the oracle cannot run. Nothing is fetched for it.
    fn runtime(&self) -> foreign::Runtime {
        let name = BackendName::parse(foreign::RUNTIME);
        let ready = |entry: &entry::Entry| match &entry.needs.at_hand {
            Some(at_hand) => at_hand(&name, &self.options.libraries),
            None => Ok(()),
        };
        let command = self.entry(&name).and_then(|entry| {
            ready(entry).map_err(|reason| StartError::cannot_start(&name, reason))?;
            self.own_worker(&name)
        });
        match command {
            Ok((command, limits)) => {
                let start = move || Worker::start(command.clone(), limits.clone());
                foreign::Runtime::Idle(Box::new(move || start().map(|worker| Box::new(worker) as Box<dyn Runner>)))
            }
            Err(error) => foreign::Runtime::Missing(error.to_string()),
        }
    }

    /// Starts a worker with the environment of the options.
    fn worker(&self, mut command: Command, limits: Limits) -> Result<Worker, StartError> {
        command.environment.extend(self.options.environment.iter().cloned());
        Worker::start(command, limits)
    }

    /// Returns the limits for somebody else's program: it may reserve as much address space as it likes.
    fn program_limits(&self) -> Limits {
        Limits { address_space_bytes: None, ..self.options.limits.clone() }
    }

    /// Fetches what a backend needs on this machine, without starting it. Does nothing if it needs nothing.
    pub fn fetch(&self, name: &str) -> Result<(), StartError> {
        self.knows(name)?;
        let name = BackendName::parse(name);
        if name.body_release().is_some() {
            bodies::fetch(&name, &self.options.libraries)?;
        }
        let entry = self.entries.iter().find(|entry| entry.base == name.base);
        match entry.and_then(|entry| entry.needs.fetch.as_ref()) {
            Some(fetch) => {
                fetch(&name, &self.options.libraries).map_err(|reason| StartError::cannot_start(&name, reason))
            }
            None => Ok(()),
        }
    }

    /// Starts a backend several times, to run cases in parallel.
    pub fn start_pool(&self, name: &str, size: usize) -> Result<Pool, StartError> {
        Pool::start(size, || self.start(name))
    }

    fn start_worker(&self, name: &BackendName) -> Result<Box<dyn Runner>, StartError> {
        let (command, limits) = self.own_worker(name)?;
        match Worker::start(command, limits) {
            Ok(worker) => Ok(Box::new(worker)),
            Err(error) => Err(error.of_backend(name)),
        }
    }

    /// Returns the command line that runs a backend in a worker process of ours, and the limits of this process.
    fn own_worker(&self, name: &BackendName) -> Result<(Command, Limits), StartError> {
        let mut command = match &self.options.worker {
            Some(command) => command.clone(),
            None => {
                let own = std::env::current_exe().map_err(|e| StartError::cannot_start(name, e))?;
                Command::new(own, ["worker"])
            }
        };
        let needs = self.entries.iter().find(|entry| entry.base == name.base).map(|entry| &entry.needs);
        if let Some(environment) = needs.and_then(|needs| needs.environment.as_ref()) {
            let variables = environment(name).map_err(|reason| StartError::cannot_start(name, reason))?;
            command.environment.extend(variables);
        }
        command.environment.extend(self.options.environment.iter().cloned());
        command.arguments.extend([OsString::from("--backend"), name.to_string().into()]);
        command.arguments.extend([OsString::from("--libraries"), self.options.libraries.clone().into()]);
        let mut limits = self.options.limits.clone();
        let is_fetched = needs.is_some_and(|needs| needs.fetch.is_some());
        if is_fetched && name.argument.is_some() {
            // An execution provider and its driver may also reserve as much address space as they like.
            limits.address_space_bytes = None;
        }
        Ok((command, limits))
    }

    /// Runs as the worker process of a backend: answers requests on stdin until stdin ends.
    pub fn serve(&self, name: &str) -> Result<(), ChannelError> {
        let mut channel = Channel::inherit()?;
        let name = BackendName::parse(name);
        if name.base == MOCK {
            return match self.mock(&name) {
                Ok(mock) => mock.serve(channel),
                Err(error) => channel.start_failed(error.reason()),
            };
        }
        match self.entry(&name).and_then(|entry| entry.construct(&name, &self.options)) {
            Ok(backend) => channel.serve(backend.as_ref()),
            Err(error) => channel.start_failed(error.reason()),
        }
    }

    /// Runs as a worker if the command line (without the program) is `worker --backend NAME [--libraries FOLDER]`;
    /// returns `None` for any other command line. For programs that have no other subcommands, and for test programs.
    pub fn serve_if_asked(
        &mut self,
        arguments: impl IntoIterator<Item = OsString>,
    ) -> Option<Result<(), ChannelError>> {
        let mut arguments = arguments.into_iter();
        if arguments.next()? != "worker" {
            return None;
        }
        let mut name = None;
        while let Some(option) = arguments.next() {
            match option.to_str() {
                Some("--backend") => name = arguments.next()?.into_string().ok(),
                Some("--libraries") => self.options.libraries = arguments.next()?.into(),
                _ => return None,
            }
        }
        Some(self.serve(&name?))
    }

    /// Returns every backend except `process:CMD` and `mock:MODE`, and whether it can be started. Starts each of them
    /// to find out, but fetches nothing. Other installed variants of a backend, such as other versions, follow it.
    pub fn available(&self) -> Vec<Available> {
        let mut all = Vec::new();
        for entry in &self.entries {
            all.push(self.available_as(entry, entry.base.clone()));
            let variants =
                entry.needs.variants.as_ref().map(|variants| variants(&self.options.libraries)).unwrap_or_default();
            all.extend(variants.into_iter().map(|name| self.available_as(entry, name)));
        }
        all
    }

    fn available_as(&self, entry: &Entry, name: String) -> Available {
        let parsed = BackendName::parse(&name);
        let at_hand = match &entry.needs.at_hand {
            Some(at_hand) => at_hand(&parsed, &self.options.libraries),
            None => Ok(()),
        };
        let is_default = !entry.needs.is_only_by_name && (at_hand.is_ok() || !entry.needs.is_optional);
        let state = at_hand
            .and_then(|()| self.start(&name).map(|runner| runner.identity().clone()).map_err(|error| error.reason()));
        Available { name, about: entry.about.clone(), state, is_default }
    }
}

/// Returns the command line of `process:CMD`, which is split as a shell splits it, without using a shell.
fn process_command(name: &BackendName) -> Result<Command, StartError> {
    let line = name.argument.as_deref().unwrap_or("");
    let mut words = shlex::split(line)
        .ok_or_else(|| StartError::cannot_start(name, "its command line has a quote that is not closed"))?
        .into_iter();
    let program = words.next().ok_or_else(|| {
        StartError::cannot_start(name, "no command is given: write process:CMD, such as process:\"python3 mine.py\"")
    })?;
    Ok(Command::new(program, words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_backends_are_parsed_and_formatted() {
        let name = BackendName::parse("onnxruntime@1.23.2");
        assert_eq!((name.base.as_str(), name.version.as_deref()), ("onnxruntime", Some("1.23.2")));
        let name = BackendName::parse("process:python3 a.py --at host@port:1");
        assert_eq!((name.base.as_str(), name.version.as_deref()), ("process", None));
        assert_eq!(name.argument.as_deref(), Some("python3 a.py --at host@port:1"));
        for text in ["reference", "onnxruntime@1.23.2", "mock:lie/3", "process:a 'b c'"] {
            assert_eq!(BackendName::parse(text).to_string(), text);
        }
    }

    #[test]
    fn a_backend_that_cannot_start_gives_the_reason() {
        let registry = Registry::new(Options::default());
        let error = |name: &str| registry.start(name).err().unwrap().to_string();
        assert_eq!(
            error("onyx"),
            "no backend is called `onyx`; the backends are cpu, directml-software, directml, rten, onnxruntime, onnxruntime-directml, openvino, tract-python, onnx-reference, onnx-backend, onnxruntime-web, rewriter, tool, process:CMD, mock:MODE"
        );
        assert!(error("mock:sulk").contains("`sulk` is not a mode of the mock; the modes are ok, crash"));
        assert!(error("mock:lie/0").contains("`0` in mock:lie/0 is not a number of 1 or more"));
        assert!(error("process:").contains("no command"));
        assert!(error("process:no-such-program-anywhere").contains("No such file"));
    }
}
