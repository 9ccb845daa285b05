//! Reads the two sides of a comparison from the folders of runs, and refuses sides that cannot be compared.

use std::path::{Path, PathBuf};

use plumbline_conformance::CaseResult;
use serde::Serialize;

use super::Comparison;
use super::change::Signatures;
use super::pairs::{Pairs, Side};
use crate::{BackendMeta, BackendStatus, ReportError, ResultsFile, RunMeta};

/// The reason why two runs cannot be compared. Messages name the folder, the file or the backends, and what was found.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// A file cannot be read, `run.json` is invalid, or a line of the results is not a result.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// The runs had different cases.
    #[error(
        "the runs differ in their {what} ({base} in {}, {new} in {}), so the same id may be another case",
        folders[0].display(), folders[1].display()
    )]
    Differ {
        /// What differs: seed, profile, or version of Plumbline.
        what: &'static str,
        /// The value of the base run.
        base: String,
        /// The value of the new run.
        new: String,
        /// The folders of the base run and of the new run.
        folders: Box<[PathBuf; 2]>,
    },
    /// `run.json` does not say what decides the cases.
    #[error("{}: it does not say the {what} of the run, so the same id may be another case", path.display())]
    NotSaid {
        /// The file.
        path: PathBuf,
        /// What it does not say.
        what: &'static str,
    },
    /// A run still goes on, or was killed.
    #[error(
        "{}: this run did not end: it still goes on, or it was killed; wait for it, or let `conformance --resume` finish it",
        folder.display()
    )]
    Unfinished {
        /// The folder of the run.
        folder: PathBuf,
    },
    /// The last line of the results is cut off.
    #[error("{}: the last line is cut off, so results are missing", path.display())]
    CutOff {
        /// The results file.
        path: PathBuf,
    },
    /// The caller gave a name that no backend of the run has, or that several have. Or the caller gave no name, and no
    /// backend ran, or several did.
    #[error("{}: {wanted} {found}", folder.display())]
    Backend {
        /// The folder of the run.
        folder: PathBuf,
        /// Why no backend can be chosen, in words.
        wanted: String,
        /// Which backends ran, in words.
        found: String,
    },
    /// Both sides are the same results.
    #[error("both sides are the results of {backend} in {}; name another backend with --against", folder.display())]
    SameResults {
        /// The backend.
        backend: String,
        /// The folder of the run.
        folder: PathBuf,
    },
    /// A side has two results of a case.
    #[error("{}: there are two results of {backend} for the case {case}, so this is not one run", path.display())]
    Twice {
        /// The results file.
        path: PathBuf,
        /// The backend.
        backend: String,
        /// The case.
        case: String,
    },
    /// No case has a result on both sides.
    #[error("no case has a result on both sides: {base_name} has {base} results, {new_name} has {new}")]
    NothingInCommon {
        /// The number of results of the base side.
        base: u64,
        /// The backend of the base side.
        base_name: String,
        /// The number of results of the new side.
        new: u64,
        /// The backend of the new side.
        new_name: String,
    },
}

/// A side of a comparison, as the caller selects it.
#[derive(Clone, Debug)]
pub struct RunSide<'a> {
    /// The folder of the run, which has `results.jsonl` and `run.json`.
    pub folder: &'a Path,
    /// The backend: its name, its name and version (`onnxruntime 1.31.1`, `onnxruntime@1.31.1`), or what selected it on
    /// the command line of the run. `None` stands for the only backend of the run.
    pub backend: Option<&'a str>,
}

/// What a comparison says about one of its sides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SideFacts {
    /// The folder of the run.
    pub folder: String,
    /// The name and version of the backend: `onnxruntime 1.31.1`.
    pub backend: String,
    /// The name that selects the backend on the command line, if `run.json` has it.
    pub selector: Option<String>,
    /// The time at which the run started.
    pub started: Option<String>,
    /// The number of results.
    pub results: u64,
    /// The number of cases that the run left without an answer.
    pub not_run: u64,
    /// Why results are missing, if the run was interrupted.
    pub incomplete: Option<String>,
}

/// Compares the results of two backends, or of the same backend in two runs.
///
/// # Errors
/// Fails if a file cannot be read, is invalid or is cut off, if the runs had different cases or do not say what decides
/// them, if a run did not end, if a backend is not found, if both sides are the same results, if a side has two results
/// of a case, or if no case has a result on both sides.
pub fn compare(base: &RunSide, new: &RunSide) -> Result<Comparison, CompareError> {
    let [base_meta, new_meta] = [base, new].map(|side| RunMeta::read(&side.folder.join("run.json")));
    let (base_meta, new_meta) = (base_meta?, new_meta?);
    check_cases(base.folder, &base_meta, new.folder, &new_meta)?;
    for (side, meta) in [(base, &base_meta), (new, &new_meta)] {
        if meta.unfinished {
            return Err(CompareError::Unfinished { folder: side.folder.to_owned() });
        }
    }
    let (base_backend, new_backend) = (choose(base, &base_meta)?, choose(new, &new_meta)?);
    let (base_name, new_name) = (base_backend.label(), new_backend.label());
    if base_name == new_name && is_same_folder(base.folder, new.folder) {
        return Err(CompareError::SameResults { backend: base_name, folder: base.folder.to_owned() });
    }
    let signatures = match base_backend.name == new_backend.name {
        true => Signatures::Agree,
        false => Signatures::Differ,
    };
    let mut pairs = Pairs::new(signatures);
    let mut rows = [Rows::new(base.folder, &base_name)?, Rows::new(new.folder, &new_name)?];
    let mut ended = [false; 2];
    while ended != [true; 2] {
        for (at, side) in [Side::Base, Side::New].into_iter().enumerate() {
            if ended[at] {
                continue;
            }
            match rows[at].next_row()? {
                Some(row) => rows[at].add(&mut pairs, side, row)?,
                None => {
                    pairs.end(side);
                    ended[at] = true;
                }
            }
        }
    }
    let counted = pairs.finish();
    let facts = |side: &RunSide, meta: &RunMeta, backend: &BackendMeta, at: usize| SideFacts {
        folder: side.folder.display().to_string(),
        backend: backend.label(),
        selector: backend.selector.clone(),
        started: meta.started.clone(),
        results: counted.results[at],
        not_run: counted.not_run[at],
        incomplete: meta.incomplete.clone(),
    };
    let base_facts = facts(base, &base_meta, base_backend, 0);
    let new_facts = facts(new, &new_meta, new_backend, 1);
    let comparison = Comparison {
        base: base_facts,
        new: new_facts,
        seed: new_meta.seed,
        profile: new_meta.profile,
        project_version: new_meta.project_version,
        signatures,
        counted,
    };
    if comparison.compared() == 0 {
        return Err(CompareError::NothingInCommon {
            base: comparison.base.results,
            base_name,
            new: comparison.new.results,
            new_name,
        });
    }
    Ok(comparison)
}

/// Checks that the same id is the same case in both runs.
fn check_cases(base_folder: &Path, base: &RunMeta, new_folder: &Path, new: &RunMeta) -> Result<(), CompareError> {
    type Fact = fn(&RunMeta) -> Option<&String>;
    // The profile decides how many cases a cell has, and how long a case may take.
    let facts: [(&'static str, Fact); 3] = [
        ("version of Plumbline", |meta| meta.project_version.as_ref()),
        ("seed", |meta| meta.seed.as_ref()),
        ("profile", |meta| meta.profile.as_ref()),
    ];
    for (what, fact) in facts {
        let said = |folder: &Path, meta| {
            fact(meta).cloned().ok_or_else(|| CompareError::NotSaid { path: folder.join("run.json"), what })
        };
        let (base, new) = (said(base_folder, base)?, said(new_folder, new)?);
        if base != new {
            let (base_folder, new_folder) = (base_folder.to_owned(), new_folder.to_owned());
            return Err(CompareError::Differ { what, base, new, folders: Box::new([base_folder, new_folder]) });
        }
    }
    Ok(())
}

/// Returns the backend of a side.
fn choose<'a>(side: &RunSide, meta: &'a RunMeta) -> Result<&'a BackendMeta, CompareError> {
    let ran: Vec<&BackendMeta> = meta.backends.iter().filter(|backend| backend.status == BackendStatus::Ran).collect();
    let error = |wanted: String| {
        let names: Vec<String> = ran.iter().map(|backend| backend.label()).collect();
        let found = match names.as_slice() {
            [] => "no backend ran".to_owned(),
            names => format!("the run has {}", names.join(", ")),
        };
        CompareError::Backend { folder: side.folder.to_owned(), wanted, found }
    };
    let Some(name) = side.backend else {
        return match ran.as_slice() {
            [only] => Ok(only),
            [] => Err(error("nothing can be compared:".to_owned())),
            _ => Err(error("--backend (and --against) has to name one backend;".to_owned())),
        };
    };
    let versioned = |backend: &BackendMeta| backend.version.as_ref().map(|v| format!("{}@{v}", backend.name));
    let is_exact = |backend: &&&BackendMeta| {
        let versioned = versioned(backend);
        [Some(backend.label()), backend.selector.clone(), versioned].iter().flatten().any(|known| known == name)
    };
    let exact: Vec<&&BackendMeta> = ran.iter().filter(is_exact).collect();
    let named: Vec<&&BackendMeta> = ran.iter().filter(|backend| backend.name == name).collect();
    match (exact.as_slice(), named.as_slice()) {
        ([only], _) | ([], [only]) => Ok(only),
        ([], []) => Err(error(format!("there are no results of a backend {name};"))),
        _ => Err(error(format!("{name} is the name of several backends, so their version is needed;"))),
    }
}

fn is_same_folder(one: &Path, other: &Path) -> bool {
    one == other || matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// The results of one backend of a run.
struct Rows<'a> {
    path: PathBuf,
    file: ResultsFile,
    backend: &'a str,
}

impl<'a> Rows<'a> {
    fn new(folder: &Path, backend: &'a str) -> Result<Rows<'a>, CompareError> {
        let path = folder.join("results.jsonl");
        let file = ResultsFile::from_path(&path)?;
        Ok(Rows { path, file, backend })
    }

    fn next_row(&mut self) -> Result<Option<CaseResult>, CompareError> {
        for result in self.file.by_ref() {
            let result = result?;
            if result.backend == self.backend {
                return Ok(Some(result));
            }
        }
        match self.file.truncated() {
            true => Err(CompareError::CutOff { path: self.path.clone() }),
            false => Ok(None),
        }
    }

    fn add(&self, pairs: &mut Pairs, side: Side, row: CaseResult) -> Result<(), CompareError> {
        let case = row.case.clone();
        match pairs.add(side, row) {
            true => Ok(()),
            false => Err(CompareError::Twice { path: self.path.clone(), backend: self.backend.to_owned(), case }),
        }
    }
}
