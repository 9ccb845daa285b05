//! Tools that rewrite models (`rewriter:NAME`, `rewriter:CMD`), and ONNX's own tools (`tool:NAME`, and `tool:CMD` for a
//! command that infers shapes).

use plumbline_spec::Opsets;

use crate::StartError;
use crate::adapter::{COMMAND, REWRITERS, Rewriter, TOOLS, Task};
use crate::worker::Command;

use super::entry::{Entry, Needs, Place};
use super::{BackendName, Options, Registry};

/// The names of these backends, before the colon, with the tools that each has.
const NAMES: [(&str, &[Rewriter]); 2] = [("rewriter", REWRITERS), ("tool", TOOLS)];

/// What stands for the paths of the two files in a command line.
const FILES: [&str; 2] = ["{in}", "{out}"];

/// The setting of the version converter that stands for one converter for each opset.
const EACH: &str = "to=each";

/// The setting of tools that infer types and shapes by which they say what they leave out.
const COVERAGE: &str = "coverage=on";

/// Returns whether the argument of a name is a command line, and not the name of a tool with settings.
pub(super) fn is_command(base: &str, argument: &str) -> bool {
    NAMES.iter().any(|(name, _)| *name == base) && FILES.iter().any(|file| argument.contains(file))
}

/// Returns what the tool of this name does.
pub(super) fn task(name: &BackendName) -> Task {
    match Wanted::parse(name) {
        Ok(Wanted::Tool(rewriter, ..)) => rewriter.task,
        _ if name.base == "tool" => Task::Infers,
        _ => Task::Rewrites,
    }
}

/// Returns whether a tool that infers types and shapes is asked to say what it leaves out.
pub(super) fn covers(name: &BackendName) -> bool {
    let has_setting = |settings: &str| settings.split(',').any(|setting| setting == COVERAGE);
    matches!(Wanted::parse(name), Ok(Wanted::Tool(_, _, Some(settings))) if has_setting(&settings))
}

/// What a name asks for.
enum Wanted {
    /// A tool, its version, and its settings.
    Tool(&'static Rewriter, Option<String>, Option<String>),
    /// The base of the name, and the words of a command line.
    Command(String, Vec<String>),
}

impl Wanted {
    /// Reads a name such as `rewriter:onnxoptimizer@0.4.2,pass=fuse_bn_into_conv` or `rewriter:tool {in} {out}`. A colon
    /// may be in the place of the first comma. The error is one line.
    fn parse(name: &BackendName) -> Result<Wanted, String> {
        let base = name.base.as_str();
        let known = NAMES.iter().find(|(name, _)| *name == base).map_or(REWRITERS, |(_, tools)| tools);
        let tools = known.iter().map(|rewriter| rewriter.adapter.name).collect::<Vec<_>>().join(", ");
        let text = name.argument.as_deref().unwrap_or_default();
        if text.is_empty() || name.version.is_some() {
            return Err(format!("it has to name a tool, such as {tools}, or a command: {base}:CMD"));
        }
        if is_command(base, text) {
            if FILES.iter().any(|file| !text.contains(file)) {
                return Err("a command has both {in} and {out}, which stand for the paths of two files".to_owned());
            }
            let words = shlex::split(text).ok_or("its command line has a quote that is not closed")?;
            return Ok(Wanted::Command(base.to_owned(), words));
        }
        let (tool, settings) = match text.split_once([':', ',']) {
            Some((tool, settings)) => (tool, Some(settings.to_owned())),
            None => (text, None),
        };
        let (tool, version) = match tool.split_once('@') {
            Some((tool, version)) => (tool, Some(version.to_owned())),
            None => (tool, None),
        };
        let is_wanted = |rewriter: &&Rewriter| rewriter.adapter.name.split_once(':') == Some((base, tool));
        let found = known.iter().find(is_wanted);
        let rewriter = found.ok_or_else(|| {
            format!("`{tool}` is neither one of {tools} nor a command, which would have {{in}} and {{out}}")
        })?;
        rewriter.adapter.check(version.as_deref(), settings.as_deref())?;
        Ok(Wanted::Tool(rewriter, version, settings))
    }

    /// Returns the command line that starts the program. The error is one line.
    fn command(&self, options: &Options) -> Result<Command, String> {
        match self {
            Wanted::Tool(rewriter, version, settings) => {
                rewriter.adapter.command(&options.libraries, version.as_deref(), settings.as_deref())
            }
            Wanted::Command(base, words) => {
                let mut command = COMMAND.command(&options.libraries, None, None)?;
                command.arguments.push(base.into());
                command.arguments.extend(words.iter().map(Into::into));
                Ok(command)
            }
        }
    }

    fn passes(&self) -> Option<Vec<&'static str>> {
        match self {
            Wanted::Tool(rewriter, _, settings) if settings.as_deref() == rewriter.settings_of_passes => {
                Some(rewriter.passes.to_vec()).filter(|passes| !passes.is_empty())
            }
            _ => None,
        }
    }
}

impl Registry {
    /// Returns the names of all backends that a name stands for: with `to=each`, a converter for each opset.
    pub fn each(&self, name: &str) -> Vec<String> {
        let parsed = BackendName::parse(name);
        let settings = || parsed.argument.iter().flat_map(|argument| argument.split([':', ',']));
        if parsed.base != "rewriter" || !settings().any(|setting| setting == EACH) {
            return vec![name.to_owned()];
        }
        let newest = Opsets::embedded().last("").unwrap_or_default();
        (1..=newest).map(|opset| name.replace(EACH, &format!("to={opset}"))).collect()
    }

    /// Adds the tools. What they need is fetched on request only.
    pub(super) fn with_rewriters(self) -> Registry {
        let about = "a tool that makes another model of a model (:NAME, :CMD), which the oracle runs";
        let registry = self.with_tools("rewriter", REWRITERS, about);
        registry.with_tools(
            "tool",
            TOOLS,
            "a tool of ONNX that infers shapes (also :CMD), checks models or has functions",
        )
    }

    fn with_tools(mut self, base: &'static str, tools: &'static [Rewriter], about: &str) -> Registry {
        self.entries.push(Entry {
            base: base.to_owned(),
            about: about.to_owned(),
            place: Place::Rewriter(Box::new(|name, options| {
                let command = Wanted::parse(name).and_then(|wanted| wanted.command(options));
                command.map_err(|reason| StartError::cannot_start(name, reason))
            })),
            needs: Needs {
                check: Some(Box::new(|name| Wanted::parse(name).map(|_| ()))),
                fetch: Some(Box::new(|name, libraries| match Wanted::parse(name)? {
                    Wanted::Tool(rewriter, version, _) => rewriter.adapter.fetch(libraries, version.as_deref()),
                    Wanted::Command(..) => Ok(()),
                })),
                at_hand: Some(Box::new(|name, libraries| match Wanted::parse(name)? {
                    Wanted::Tool(rewriter, version, settings) => {
                        rewriter.adapter.at_hand(libraries, version.as_deref(), settings.as_deref())
                    }
                    Wanted::Command(..) => Ok(()),
                })),
                passes: Some(|name| Wanted::parse(name).ok()?.passes()),
                variants: Some(Box::new(move |libraries| {
                    let adapters = tools.iter().map(|rewriter| &rewriter.adapter);
                    let installed = adapters.flat_map(|adapter| {
                        adapter.versions(libraries).into_iter().map(|version| {
                            match Some(version.as_str()) == adapter.default_version() {
                                true => adapter.name.to_owned(),
                                false => format!("{}@{version}", adapter.name),
                            }
                        })
                    });
                    installed.collect()
                })),
                is_optional: true,
                is_only_by_name: true,
                ..Needs::default()
            },
        });
        self
    }
}
