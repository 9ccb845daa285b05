//! Writes a corpus: a folder with cases, and with what the oracle accepts as their answers, for other programs to use.
//! `docs/corpus.md` describes the format. Every corpus holds `plumbline_judge.py` as `judge.py`, which judges answers.

mod accept;
mod content;
mod encoding;
mod folder;
mod inward;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use plumbline_generator::Case;
use plumbline_oracle::{AccuracyError, Oracle, Policy};
use plumbline_spec::Numerics;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::cases::graphs;
use crate::running::{Advance, Progress, Settings, Work, in_order, shard};
use content::Taken;
pub use encoding::Encoding;
use folder::Folder;

/// The version of the format of a corpus. A reader refuses a corpus of another version.
pub const FORMAT: u32 = 1;

/// The judge that each corpus has: its name and its text.
pub const JUDGE: (&str, &str) = ("judge.py", include_str!("../../python/plumbline_judge.py"));

/// How many cases that break a rule are drawn for each one that DirectML has to refuse.
const TRIES: u64 = 8;

/// The reason why a corpus cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// A file or folder cannot be written.
    #[error("{path}: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The folder has files already, or it is a file.
    #[error(
        "{path} is a file or has files in it; name a new folder, so that the corpus has no cases of an earlier one"
    )]
    NotEmpty {
        /// The folder.
        path: PathBuf,
    },
    /// No case was written.
    #[error(
        "there is nothing to write: no case is left ({left_out} were left out, for their size or an error of ours)"
    )]
    NoCase {
        /// The number of cases that were left out.
        left_out: usize,
    },
    /// Two cases have the same folder.
    #[error("{id} and another case have the folder {path}")]
    SamePath {
        /// The id of the second case.
        id: String,
        /// The folder.
        path: String,
    },
    /// The user stopped the export.
    #[error("the export was stopped; nothing was written")]
    Interrupted,
    /// `numerics` names an accuracy table or a function that does not exist, or has an invalid number of ULP.
    #[error(transparent)]
    Accuracy(#[from] AccuracyError),
}

impl ExportError {
    fn io(path: &Path) -> impl FnOnce(std::io::Error) -> ExportError {
        let path = path.to_owned();
        move |source| ExportError::Io { path, source }
    }
}

/// What a corpus is made of.
pub struct Export<'a> {
    /// Seed, numbers of cases, shard, selection and threads. `out` is the folder of the corpus.
    pub settings: &'a Settings,
    /// The name of the profile that the numbers of cases come from.
    pub profile: &'a str,
    /// The suites that the work is made of.
    pub suites: &'a [String],
    /// The form of the files.
    pub encoding: Encoding,
    /// The options that select cases, each with the values that the user gave.
    pub selection: BTreeMap<&'static str, Vec<String>>,
    /// The arithmetic that answers are judged by.
    pub numerics: Numerics,
    /// The largest size of a case in bytes, all files together.
    pub max_bytes: u64,
    /// The version of Plumbline.
    pub version: &'a str,
    /// Receives the progress.
    pub progress: &'a dyn Progress,
}

/// What was exported.
#[derive(Clone, Debug, Default)]
pub struct Exported {
    /// The number of cases of each suite.
    pub cases: BTreeMap<String, u64>,
    /// The size of all files of cases and of the lines of the manifest, in bytes.
    pub bytes: u64,
    /// Cases that were left out because they are too large, or because DirectML need not refuse what DxDispatch makes of
    /// an invalid one: the id and the reason.
    pub left_out: Vec<(String, String)>,
    /// Cases that were left out because of an error of Plumbline: the id and what is wrong.
    pub broken: Vec<(String, String)>,
}

/// A line of the manifest: one case.
#[derive(Serialize)]
struct Line {
    id: String,
    path: String,
    suite: String,
    op: String,
    types: BTreeMap<String, String>,
    form: String,
    expects: &'static str,
    twin: Option<String>,
    bytes: u64,
    /// The feature level and the element types of an operator of DirectML.
    #[serde(flatten)]
    of_directml: Option<content::Facts>,
    /// The SHA-256 of each file, by its path in the folder of the case.
    files: BTreeMap<String, String>,
}

/// The head of a manifest.
#[derive(Serialize)]
struct Head<'a> {
    format: u32,
    plumbline: &'a str,
    seed: String,
    profile: &'a str,
    cases_per_cell: u64,
    negative_cases: u64,
    suites: &'a [String],
    selection: &'a BTreeMap<&'static str, Vec<String>>,
    accuracy: &'a str,
    arithmetic: &'a Numerics,
    max_bytes: u64,
    shard: [u64; 2],
    cases: &'a BTreeMap<String, u64>,
    left_out: Vec<BTreeMap<&'static str, &'a str>>,
    manifest: String,
    manifest_sha256: String,
    judge: &'static str,
    judge_sha256: String,
    /// The hashes of the programs that run and judge the corpus, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    runners: BTreeMap<&'static str, String>,
}

/// What became of a piece of work: lines of the manifest, and cases that were left out or are broken.
#[derive(Default)]
struct Done {
    lines: Vec<Line>,
    left_out: Vec<(String, String)>,
    broken: Vec<(String, String)>,
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), ExportError> {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(ExportError::io(parent))?;
    }
    std::fs::write(path, bytes).map_err(ExportError::io(path))
}

/// Removes a folder that was not finished.
struct Unfinished(PathBuf);

impl Drop for Unfinished {
    fn drop(&mut self) {
        // After a success the folder no longer exists. After an error, that error matters more than a failure to remove
        // the folder.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Export<'_> {
    /// Writes the corpus for the part of `work` that belongs to the shard. The folder of the corpus appears only when
    /// the corpus is complete.
    ///
    /// # Errors
    /// Fails if the folder is a file or has files already, if a file cannot be written, if `numerics` is invalid, if
    /// two cases have the same folder, if no case is left, and if the interrupt of the settings is raised. An export
    /// that fails leaves no files behind.
    pub fn run(&self, work: Vec<Work>) -> Result<Exported, ExportError> {
        let out = &self.settings.out;
        let reference = Oracle::new(Policy::new(&self.numerics)?);
        if std::fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_some()) || out.is_file() {
            return Err(ExportError::NotEmpty { path: out.clone() });
        }
        // The corpus is first written to a folder beside `out`. At the end, that folder takes the place of `out`. This
        // is impossible if `out` is `.` or `..`.
        let nameless = || std::io::Error::new(std::io::ErrorKind::InvalidInput, "name a folder, such as `corpus`");
        let name = out.file_name().ok_or_else(|| ExportError::io(out)(nameless()))?.to_string_lossy().into_owned();
        let unfinished = Unfinished(out.with_file_name(format!("{name}.unfinished-{}", std::process::id())));
        let folder = &unfinished.0;
        std::fs::create_dir_all(folder).map_err(ExportError::io(folder))?;
        let work = shard(work, self.settings.shard);
        self.progress.start(work.len() as u64);
        let piece = |at: usize| {
            let stopped = self.settings.interrupt.is_raised();
            (!stopped).then(|| self.piece(&reference, &work[at], folder))
        };
        let (mut exported, mut lines, mut paths) = (Exported::default(), String::new(), BTreeSet::new());
        let reached = in_order(work.len(), self.settings.threads(), piece, |_, done| {
            let done = done?;
            self.progress.advance(Advance { pieces: 1, cases: done.lines.len() as u64, ..Advance::default() });
            exported.left_out.extend(done.left_out);
            exported.broken.extend(done.broken);
            for line in done.lines {
                if !paths.insert(line.path.to_lowercase()) {
                    return Err(ExportError::SamePath { id: line.id, path: line.path });
                }
                *exported.cases.entry(line.suite.clone()).or_default() += 1;
                exported.bytes += line.bytes;
                lines += &serde_json::to_string(&line).unwrap_or_default();
                lines.push('\n');
            }
            Ok(())
        });
        self.progress.finish();
        if reached? < work.len() {
            return Err(ExportError::Interrupted);
        }
        if exported.cases.is_empty() {
            return Err(ExportError::NoCase { left_out: exported.left_out.len() + exported.broken.len() });
        }
        exported.bytes += lines.len() as u64;
        self.write_manifest(folder, &exported, &lines)?;
        if out.is_dir() {
            // `out` is empty. It is removed, because not every system can rename a folder to a name that exists.
            std::fs::remove_dir(out).map_err(ExportError::io(out))?;
        }
        std::fs::rename(folder, out).map_err(ExportError::io(out))?;
        Ok(exported)
    }

    fn write_manifest(&self, folder: &Path, exported: &Exported, lines: &str) -> Result<(), ExportError> {
        let Settings { shard: (number, count), .. } = self.settings;
        let name = format!("{number}-of-{count}");
        let left_out = exported.left_out.iter().chain(&exported.broken);
        let left_out = left_out.map(|(id, reason)| BTreeMap::from([("id", id.as_str()), ("reason", reason.as_str())]));
        let runners = match self.encoding {
            Encoding::Onnx => &[][..],
            Encoding::DxDispatch => &content::RUNNERS,
        };
        let head = Head {
            format: FORMAT,
            plumbline: self.version,
            seed: self.settings.seed.to_string(),
            profile: self.profile,
            cases_per_cell: self.settings.cases,
            negative_cases: self.settings.negative_cases,
            suites: self.suites,
            selection: &self.selection,
            accuracy: &self.numerics.accuracy,
            arithmetic: &self.numerics,
            max_bytes: self.max_bytes,
            shard: [*number, *count],
            cases: &exported.cases,
            left_out: left_out.collect(),
            manifest: format!("{name}.jsonl"),
            manifest_sha256: sha256(lines.as_bytes()),
            judge: JUDGE.0,
            judge_sha256: sha256(JUDGE.1.as_bytes()),
            runners: runners.iter().map(|(name, text)| (*name, sha256(text.as_bytes()))).collect(),
        };
        let text = serde_json::to_string_pretty(&head).unwrap_or_default();
        write(&folder.join(JUDGE.0), JUDGE.1.as_bytes())?;
        for (name, text) in runners {
            write(&folder.join(name), text.as_bytes())?;
        }
        write(&folder.join(format!("manifest/{name}.jsonl")), lines.as_bytes())?;
        write(&folder.join(format!("manifest/{name}.json")), format!("{text}\n").as_bytes())
    }

    /// Draws `count` cases that break a rule and that DirectML has to refuse. Those that it need not refuse are left out; a
    /// few more cases are drawn in their place.
    fn refusable(&self, work: &Work, count: u64, done: &mut Done) -> Vec<Case> {
        let (mut cases, mut taken) = (Vec::new(), Vec::new());
        for index in 0..count.saturating_mul(TRIES) {
            if cases.len() as u64 == count {
                break;
            }
            for case in self.settings.drawn(work, index..index + 1).0 {
                match content::why_taken(&case.model, &case.inputs) {
                    None => cases.push(case),
                    Some(why) => taken.push((case.id.clone(), why)),
                }
            }
            // Another case that breaks this rule is of no more use.
            if taken.len() as u64 >= count && taken.iter().all(|(_, why)| *why != Taken::ByNewerLevel) {
                break;
            }
        }
        taken.truncate((count as usize).saturating_sub(cases.len()));
        done.left_out.extend(taken.into_iter().map(|(id, why)| (id, why.reason().to_owned())));
        cases
    }

    /// Writes the folders of a piece of work.
    fn piece(&self, reference: &Oracle, work: &Work, out: &Path) -> Result<Done, ExportError> {
        let count = self.settings.count_of(work);
        let mut done = Done::default();
        let (cases, suite) = match work {
            Work::Cell(..) => (self.settings.drawn(work, 0..count).0, work.suite().to_owned()),
            Work::Kept(case, suite) => (vec![(**case).clone()], suite.clone()),
            // Nobody knows in advance whether a case that was changed at random is valid, and published cases are a
            // corpus already.
            Work::DirectMl(_, Some(_)) if self.encoding == Encoding::DxDispatch => {
                (self.refusable(work, count, &mut done), work.suite().to_owned())
            }
            Work::Graphs(graphs::Start::Canonical(_)) | Work::DirectMl(..) => {
                (self.settings.drawn(work, 0..count).0, work.suite().to_owned())
            }
            Work::Large(_) | Work::Mutated(_) | Work::Graphs(_) | Work::Excerpt(_) | Work::Published(_) => {
                return Ok(Done::default());
            }
        };
        for case in cases {
            let id = case.id.clone();
            let folder = match Folder::new(reference, case, &suite, self.encoding) {
                Ok(folder) => folder,
                Err(reason) => {
                    done.broken.push((id, reason));
                    continue;
                }
            };
            let bytes = folder.bytes();
            if bytes > self.max_bytes {
                done.left_out.push((id, format!("{bytes} bytes")));
                continue;
            }
            for (name, bytes) in &folder.files {
                write(&out.join(&folder.path).join(name), bytes)?;
            }
            let files = folder.files.iter().map(|(name, bytes)| (name.clone(), sha256(bytes))).collect();
            let Folder { id, path, op, types, form, expects, twin, of_directml, .. } = folder;
            let suite = suite.clone();
            done.lines.push(Line { id, path, suite, op, types, form, expects, twin, bytes, of_directml, files });
        }
        Ok(done)
    }
}
