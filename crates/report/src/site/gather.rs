//! Reads runs, sites and history files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::error::SiteError;
use super::history::{self, Record};
use super::record::{Recorder, RunFacts};
use crate::{BackendStatus, ResultsFile, RunMeta};

/// The file by which a site is recognized.
pub(super) const SITE_FILE: &str = "site.json";
/// The folder of a site with its history files.
pub(super) const DATA_FOLDER: &str = "data";
/// How the names of history files end.
pub(super) const HISTORY_ENDING: &str = ".jsonl.gz";

/// The runs that were read, by the name of the backend, its version, and the time at which the run started.
pub(super) type Runs = BTreeMap<(String, Option<String>, String), Record>;

/// Reads everything that `paths` name. If several runs of one version of a backend have the same seed, profile and
/// version of Plumbline, only the newest of these runs keeps its results. The older ones keep only their facts, so that
/// memory does not grow with the number of runs.
pub(super) fn read(paths: &[PathBuf]) -> Result<Runs, SiteError> {
    let mut reader = Reader::default();
    for path in paths {
        reader.read(path)?;
    }
    Ok(reader.runs)
}

#[derive(Default)]
struct Reader {
    runs: Runs,
    paths: BTreeMap<(String, Option<String>, String), PathBuf>,
}

impl Reader {
    fn read(&mut self, path: &Path) -> Result<(), SiteError> {
        if !path.is_dir() {
            return self.read_history(path);
        }
        let has = |name: &str| path.join(name).is_file();
        if has("results.jsonl") || has("run.json") {
            if !has("results.jsonl") {
                return Err(SiteError::NoResults { path: path.to_owned() });
            }
            return self.read_run(path);
        }
        let folder = if has(SITE_FILE) { path.join(DATA_FOLDER) } else { path.to_owned() };
        let error = |source| SiteError::io("read", &folder, source);
        let mut files = Vec::new();
        for entry in std::fs::read_dir(&folder).map_err(error)? {
            let entry = entry.map_err(error)?;
            if entry.file_name().to_string_lossy().ends_with(HISTORY_ENDING) {
                files.push(entry.path());
            }
        }
        if files.is_empty() {
            return Err(SiteError::NoResults { path: path.to_owned() });
        }
        files.sort();
        files.iter().try_for_each(|file| self.read_history(file))
    }

    fn read_history(&mut self, path: &Path) -> Result<(), SiteError> {
        history::read(path)?.into_iter().try_for_each(|record| self.add(record, path))
    }

    fn read_run(&mut self, folder: &Path) -> Result<(), SiteError> {
        let meta_path = folder.join("run.json");
        let meta = RunMeta::read(&meta_path)?;
        if meta.unfinished {
            return Err(SiteError::Unfinished { path: folder.to_owned() });
        }
        if let Some(shard) = meta.shard {
            return Err(SiteError::Shard { path: folder.to_owned(), shard });
        }
        let said = |fact: Option<String>, what| fact.ok_or(SiteError::NotSaid { path: meta_path.clone(), what });
        let common = RunFacts {
            started: said(meta.started, "start")?,
            seed: said(meta.seed, "seed")?,
            profile: said(meta.profile, "profile")?,
            project_version: said(meta.project_version, "version of Plumbline")?,
            incomplete: meta.incomplete,
            ..RunFacts::default()
        };
        let ran = meta.backends.into_iter().filter(|backend| backend.status == BackendStatus::Ran);
        let mut recorders: BTreeMap<String, (RunFacts, Recorder)> = ran
            .map(|backend| {
                let label = backend.label();
                let (name, version, selector) = (backend.name, backend.version, backend.selector);
                (label, (RunFacts { name, version, selector, ..common.clone() }, Recorder::default()))
            })
            .collect();
        let path = folder.join("results.jsonl");
        let mut file = ResultsFile::from_path(&path)?;
        for result in file.by_ref() {
            let result = result?;
            let Some((_, recorder)) = recorders.get_mut(&result.backend) else {
                return Err(SiteError::UnknownBackend { path, backend: result.backend });
            };
            let (case, backend) = (result.case.clone(), result.backend.clone());
            if !recorder.add(result) {
                return Err(SiteError::TwoResults { path, backend, case });
            }
        }
        if file.truncated() {
            return Err(SiteError::CutOff { path });
        }
        let mut is_empty = true;
        for (mut facts, recorder) in recorders.into_values() {
            if recorder.verdicts.all() == 0 {
                continue;
            }
            is_empty = false;
            facts.verdicts = recorder.verdicts;
            self.add(Record { facts, operators: Some(recorder.finish()) }, folder)?;
        }
        if is_empty { Err(SiteError::NoResults { path: folder.to_owned() }) } else { Ok(()) }
    }

    fn add(&mut self, mut record: Record, path: &Path) -> Result<(), SiteError> {
        let facts = &record.facts;
        let key = (facts.name.clone(), facts.version.clone(), facts.started.clone());
        if let Some(other) = self.paths.insert(key.clone(), path.to_owned()) {
            let paths = Box::new([other, path.to_owned()]);
            return Err(SiteError::SameRun { backend: facts.label(), started: facts.started.clone(), paths });
        }
        let mut is_newest = true;
        for known in self.runs.values_mut() {
            if known.facts.label() != facts.label() || known.facts.basis() != facts.basis() {
                continue;
            }
            match known.facts.started < facts.started {
                true => known.operators = None,
                false => is_newest = false,
            }
        }
        if !is_newest {
            record.operators = None;
        }
        self.runs.insert(key, record);
        Ok(())
    }
}
