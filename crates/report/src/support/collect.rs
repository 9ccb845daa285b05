//! Reads results and counts them by backend, operator version and types.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;
use plumbline_conformance::{CaseResult, mutated};
use plumbline_generator::short_type;
use plumbline_spec::{OperatorId, OperatorVersion, Spec};
use plumbline_tensor::DType;

use super::features::{Compared, Drawn};
use super::{BackendSupport, RunFacts, Support, SupportError, SupportOptions, Tested, TypeSupport, VersionSupport};
use crate::comparison::plural;
use crate::html::columns;
use crate::{ReportError, ResultsFile, RunMeta};

/// Reads results and says what their backends support.
///
/// # Errors
/// Fails if a file cannot be read, is given twice or has a line that is not a result, if `run.json` beside it is invalid,
/// if an unknown backend is named, or if no result is left to count.
pub fn support(options: &SupportOptions) -> Result<Support, SupportError> {
    let mut collector = Collector::new(options);
    for path in options.results {
        collector.read(path)?;
    }
    collector.finish()
}

/// What the results of an operator version on a backend are counted into.
#[derive(Default)]
struct Counted {
    types: BTreeMap<String, TypeSupport>,
    compared: Compared,
}

struct Collector<'a> {
    options: &'a SupportOptions<'a>,
    backends: BTreeMap<String, BTreeMap<OperatorId, Counted>>,
    /// Every backend of the results, shown or not.
    known: BTreeSet<String>,
    files: Vec<PathBuf>,
    runs: Vec<RunFacts>,
    limits: Vec<String>,
    /// Results of graphs of several operators.
    of_graphs: u64,
    /// Results of cases that were changed at random.
    mutated: u64,
}

impl<'a> Collector<'a> {
    fn new(options: &'a SupportOptions<'a>) -> Collector<'a> {
        Collector {
            options,
            backends: BTreeMap::new(),
            known: BTreeSet::new(),
            files: Vec::new(),
            runs: Vec::new(),
            limits: Vec::new(),
            of_graphs: 0,
            mutated: 0,
        }
    }

    /// Reads the results of a run.
    fn read(&mut self, given: &Path) -> Result<(), SupportError> {
        let path = results_file(given);
        let same = |other: &PathBuf| {
            *other == path
                || matches!((other.canonicalize(), path.canonicalize()), (Ok(one), Ok(other)) if one == other)
        };
        if self.files.iter().any(same) {
            return Err(SupportError::Twice { path });
        }
        let mut file = reader(&path)?;
        for result in file.by_ref() {
            self.add(&result?);
        }
        if file.truncated() {
            self.limits.push(format!("{}: the last line is cut off, so results are missing.", path.display()));
        }
        self.add_facts(&path)?;
        self.files.push(path);
        Ok(())
    }

    /// Adds the facts of the run, if `run.json` is beside the results.
    fn add_facts(&mut self, results: &Path) -> Result<(), SupportError> {
        let path = results.with_file_name("run.json");
        if !path.is_file() {
            self.runs.push(RunFacts::default());
            return Ok(());
        }
        let meta = RunMeta::read(&path)?;
        if let Some(why) = &meta.incomplete {
            self.limits.push(format!("Results are missing: {why}"));
        } else if meta.unfinished {
            self.limits.push("Results are missing: the run goes on, or was killed.".to_owned());
        }
        self.runs.push(RunFacts {
            command: meta.command,
            started: meta.started,
            seed: meta.seed,
            profile: meta.profile,
            project_version: meta.project_version,
        });
        Ok(())
    }

    fn add(&mut self, result: &CaseResult) {
        if !self.known.contains(&result.backend) {
            self.known.insert(result.backend.clone());
        }
        if !self.is_wanted(&result.backend) {
            return;
        }
        if result.suite == mutated::SUITE {
            self.mutated += 1;
            return;
        }
        if result.since == 0 {
            self.of_graphs += 1;
            return;
        }
        let id = OperatorId::new(&result.domain, &result.op, result.since);
        if !self.options.selection.takes(&id) {
            return;
        }
        let type_ = first_type(Spec::embedded().version(&id), &result.types);
        let counted = self.backends.entry(result.backend.clone()).or_default().entry(id).or_default();
        counted.compared.add(result);
        let one = counted.types.entry(type_.clone()).or_insert_with(|| TypeSupport { type_, ..TypeSupport::default() });
        one.tested.add(result);
        one.bindings.entry(result.types.clone()).or_default().add(result);
    }

    fn is_wanted(&self, backend: &str) -> bool {
        self.options.backends.is_empty() || self.options.backends.iter().any(|name| is_called(backend, name))
    }

    fn finish(mut self) -> Result<Support, SupportError> {
        let options = self.options;
        for name in options.backends {
            if !self.known.is_empty() && !self.known.iter().any(|backend| is_called(backend, name)) {
                return Err(SupportError::UnknownBackend {
                    name: name.clone(),
                    known: self.known.into_iter().collect(),
                });
            }
        }
        let mut tested: BTreeSet<OperatorId> =
            self.backends.values().flat_map(|counted| counted.keys()).cloned().collect();
        if tested.is_empty() {
            let files = self.files.iter().map(|path| path.display().to_string()).collect();
            let wanted = if self.known.is_empty() { "" } else { " of single operators that were asked for" };
            return Err(SupportError::NoResults { files, wanted });
        }
        if options.newest {
            tested = newest(tested);
        }
        let is_drawn = |run: &RunFacts| run.project_version.as_deref() == Some(options.project_version);
        let mut drawn = Drawn::new(self.runs.iter().all(is_drawn));
        let backends = std::mem::take(&mut self.backends);
        let backends =
            backends.into_iter().map(|(backend, counted)| self.backend(backend, counted, &tested, &mut drawn));
        let backends = backends.collect();
        Ok(Support {
            project_version: options.project_version.to_owned(),
            backends,
            limits: self.limits(drawn.is_possible),
            runs: self.runs,
        })
    }

    fn backend(
        &self,
        backend: String,
        mut counted: BTreeMap<OperatorId, Counted>,
        tested: &BTreeSet<OperatorId>,
        drawn: &mut Drawn,
    ) -> BackendSupport {
        let selected = |version: &&OperatorVersion| version.is_callable() && self.options.selection.takes(&version.id);
        let all = Spec::embedded().versions().filter(selected).map(|version| &version.id);
        let not_tested = all.filter(|id| !counted.contains_key(*id)).cloned().collect();
        let versions = tested.iter().map(|id| version(id, counted.remove(id).unwrap_or_default(), drawn)).collect();
        BackendSupport { backend, versions, not_tested }
    }

    fn limits(&self, features: bool) -> Vec<String> {
        let mut limits = self.limits.clone();
        if !features {
            limits.push(
                "The features of failing cases are not known beyond their types: there is no run.json beside the results, \
                 or another version of Plumbline wrote them."
                    .to_owned(),
            );
        }
        for (count, what) in
            [(self.of_graphs, "graphs of several operators"), (self.mutated, "cases that were changed at random")]
        {
            if count > 0 {
                limits.push(format!("Not counted: {} of {what}.", plural(count, "result")));
            }
        }
        limits
    }
}

/// Returns the results file of a run: the file itself, or that in the folder.
fn results_file(given: &Path) -> PathBuf {
    if !given.is_dir() {
        return given.to_owned();
    }
    let [plain, compressed] = ["results.jsonl", "results.jsonl.gz"].map(|name| given.join(name));
    if !plain.exists() && compressed.exists() { compressed } else { plain }
}

/// Opens a results file, which is compressed if its name ends with `.gz`.
fn reader(path: &Path) -> Result<ResultsFile<Box<dyn BufRead>>, ReportError> {
    let file = File::open(path).map_err(|source| ReportError::Io { action: "read", path: path.to_owned(), source })?;
    let plain = BufReader::with_capacity(1 << 18, file);
    let is_compressed = path.extension().is_some_and(|extension| extension == "gz");
    let reader: Box<dyn BufRead> =
        if is_compressed { Box::new(BufReader::new(MultiGzDecoder::new(plain))) } else { Box::new(plain) };
    Ok(ResultsFile::new(path, reader))
}

/// Returns whether a backend of the results (`onnxruntime 1.31.1`) has this name, with or without its version.
fn is_called(backend: &str, name: &str) -> bool {
    let bare = backend.split_once(' ').map_or(backend, |(bare, _)| bare);
    name == backend || name == bare || name == backend.replacen(' ', "@", 1)
}

/// Returns the newest version of each operator.
fn newest(ids: BTreeSet<OperatorId>) -> BTreeSet<OperatorId> {
    let mut newest: BTreeMap<String, OperatorId> = BTreeMap::new();
    for id in ids {
        // Versions are in ascending order.
        newest.insert(id.qualified_name(), id);
    }
    newest.into_values().collect()
}

/// Returns what the results of an operator version say, and the types without results.
fn version(id: &OperatorId, counted: Counted, drawn: &mut Drawn) -> VersionSupport {
    let mut types = counted.types;
    let version = Spec::embedded().version(id);
    for type_ in version.map(allowed_types).unwrap_or_default() {
        types.entry(type_.clone()).or_insert_with(|| TypeSupport { type_, ..TypeSupport::default() });
    }
    let mut types: Vec<TypeSupport> = types.into_values().collect();
    types.sort_by_key(|one| order(&one.type_));
    VersionSupport { id: id.clone(), types, failures: counted.compared.finish(drawn) }
}

/// Returns the type by which a case is listed: that of the first input, or of the first output if there is no input. `-`
/// stands for a type that the results do not have, such as that of an input that an invalid case leaves out.
fn first_type(version: Option<&OperatorVersion>, types: &BTreeMap<String, String>) -> String {
    let Some(version) = version else { return types.values().next().map_or("-".to_owned(), |type_| short_type(type_)) };
    let variable = version.inputs.first().or(version.outputs.first()).map_or("-", |formal| formal.type_.as_str());
    match (types.get(variable), allowed_types(version).as_slice()) {
        (Some(type_), _) => short_type(type_),
        (None, [only]) => only.clone(),
        (None, _) => "-".to_owned(),
    }
}

/// Returns the types that the first input (or output) may have.
fn allowed_types(version: &OperatorVersion) -> Vec<String> {
    let formal = version.inputs.first().or(version.outputs.first());
    let types = formal.map(|formal| version.types_of(formal)).unwrap_or_default();
    types.iter().map(|type_| short_type(&type_.to_string())).collect()
}

/// Returns the sort key of a type: tensors in the order of the report, then other types.
fn order(type_: &str) -> (usize, String) {
    (DType::from_name(type_).map_or(usize::MAX, columns::order), type_.to_owned())
}

impl Tested {
    /// Returns the number of all results.
    pub(super) fn all(&self) -> u64 {
        self.valid.all() + self.invalid.all()
    }
}
