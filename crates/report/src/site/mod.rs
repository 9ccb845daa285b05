//! A static site of many runs: what each version of each backend does, and what changes from version to version.
//!
//! [`build`] reads runs, history files and earlier sites. It writes pages, badges, a JSON file for each cell, and also
//! history files, from which the next site can be made. The name of a file stays the same, whatever else is on the
//! site. The same input gives the same bytes: dates come from `run.json` only.

mod badge;
mod cells;
mod codes;
mod error;
mod gather;
mod history;
mod model;
mod names;
mod operator_pages;
mod overview;
mod pages;
mod record;
mod steps;
mod trend;

use std::path::{Path, PathBuf};

use plumbline_spec::Spec;
use serde_json::json;

use badge::Badge;
pub use error::SiteError;
use gather::{DATA_FOLDER, HISTORY_ENDING, SITE_FILE};
use model::{Backend, Model, Step};
use operator_pages::{OperatorList, OperatorPage, OperatorSteps, add_step};
use overview::{BackendPage, BadgeParts, Overview};
use pages::Pages;
pub use record::RunFacts;
use steps::StepPage;

/// The JSON Schema of the files of cells.
pub const CELL_SCHEMA: &str = include_str!("cell-1.schema.json");

/// Counts of what [`build`] put into a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteFacts {
    /// The number of backends.
    pub backends: usize,
    /// The number of their versions.
    pub versions: usize,
    /// The number of runs.
    pub runs: usize,
    /// The number of operators.
    pub operators: usize,
    /// The number of cells.
    pub cells: usize,
    /// The number of steps from version to version that have a comparison.
    pub steps: usize,
}

/// Makes a site in the folder `out`. `inputs` are folders of runs, history files, folders of history files, or sites.
///
/// The site is first written to a folder beside `out`. When the site is complete, this folder takes the place of `out`.
/// `out` may be one of the inputs.
///
/// # Errors
/// Fails if an input cannot be read or is not whole, if two inputs have the same run, if `out` is neither empty nor a
/// site, or if a file cannot be written. After an error, `out` is as it was before, with two exceptions: it is missing
/// if the earlier site could not be put back, and it is the new site if only the earlier site could not be removed.
pub fn build(spec: &Spec, inputs: &[PathBuf], out: &Path, title: &str) -> Result<SiteFacts, SiteError> {
    check_out(out)?;
    let model = Model::new(gather::read(inputs)?);
    let mut draft = Draft::new(out)?;
    let facts = write(spec, &model, &mut draft, title)?;
    draft.publish(out)?;
    Ok(facts)
}

/// Refuses a folder that is neither empty nor a site.
fn check_out(out: &Path) -> Result<(), SiteError> {
    let entries = match std::fs::read_dir(out) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(SiteError::io("read", out, error)),
    };
    let is_site = std::fs::read(out.join(SITE_FILE)).is_ok_and(|bytes| {
        serde_json::from_slice(&bytes).is_ok_and(|value: serde_json::Value| value["plumbline_site"].is_u64())
    });
    match entries.count() {
        0 => Ok(()),
        _ if is_site => Ok(()),
        _ => Err(SiteError::NotASite { path: out.to_owned() }),
    }
}

fn write(spec: &Spec, model: &Model, draft: &mut Draft, title: &str) -> Result<SiteFacts, SiteError> {
    let pages = Pages::new(title)?;
    let cells = cells::collect(model);
    let mut facts = SiteFacts {
        backends: model.backends.len(),
        versions: model.backends.iter().map(|backend| backend.versions.len()).sum(),
        runs: model.backends.iter().map(|backend| backend.runs.len()).sum(),
        operators: cells.len(),
        cells: cells.values().map(|cells| cells.len()).sum(),
        steps: 0,
    };
    let mut operator_steps = OperatorSteps::new();
    for backend in &model.backends {
        let steps: Vec<Step> = backend.steps().collect();
        for step in &steps {
            let Some(comparison) = &step.comparison else { continue };
            facts.steps += 1;
            let path = steps::path(backend, step);
            let heading = format!("{} {} to {}", backend.name, step.from.shown(), step.to.shown());
            add_step(&mut operator_steps, &heading, &path, comparison);
            let page = StepPage::new(spec, backend, step, comparison);
            draft.write(&path, pages.page("site-step.html", 2, &heading, &page)?)?;
        }
        let page = BackendPage::new(&pages, backend, &steps)?;
        let name = &backend.file;
        draft.write(&format!("backends/{name}.html"), pages.page("site-backend.html", 1, &backend.name, &page)?)?;
        draft.write(&format!("backends/{name}.md"), steps::markdown(backend, &steps))?;
        if let Some(badge) = Badge::new(backend) {
            let svg = pages.part("site-badge.svg", &BadgeParts::new(&badge))?;
            draft.write(&format!("badges/{name}.svg"), svg)?;
            draft.write(&format!("badges/{name}.json"), serde_json::to_string(&badge)? + "\n")?;
        }
        let path = draft.path(&format!("{DATA_FOLDER}/{name}{HISTORY_ENDING}"))?;
        history::write(&path, &backend.records)?;
    }
    for (key, cells) in &cells {
        let page = OperatorPage::new(spec, model, key, cells, &operator_steps);
        let heading = record::qualified(&key.0, &key.1);
        let path = steps::operator_path(spec, &key.0, &key.1);
        draft.write(&path, pages.page("site-operator.html", 1, &heading, &page)?)?;
        for (cell_key, results) in cells {
            let types = results.first().map(|(.., cell)| &cell.types);
            let Some(types) = types else { continue };
            draft.write(&cells::path(spec, key, cell_key, types), cells::json(key, cell_key, results)?)?;
        }
    }
    let list = OperatorList::new(spec, model, cells.keys().copied());
    draft.write("operators/index.html", pages.page("site-operators.html", 1, "Operators", &list)?)?;
    draft.write(cells::SCHEMA_FILE, CELL_SCHEMA.to_owned())?;
    let overview = Overview::new(model, facts.operators, facts.cells);
    draft.write("index.html", pages.page("site-overview.html", 0, title, &overview)?)?;
    // GitHub's server leaves files as they are if it finds this one.
    draft.write(".nojekyll", String::new())?;
    draft.write(SITE_FILE, site_json(model, title)?)?;
    Ok(facts)
}

/// Returns `site.json`, by which a site is recognized, and which lists the files of each backend for programs.
fn site_json(model: &Model, title: &str) -> Result<String, SiteError> {
    let backend = |backend: &Backend| {
        let file = &backend.file;
        json!({
            "name": backend.name,
            "versions": backend.versions.iter().map(|version| &version.name).collect::<Vec<_>>(),
            "page": format!("backends/{file}.html"),
            "badge": format!("badges/{file}.svg"),
            "endpoint": format!("badges/{file}.json"),
            "history": format!("{DATA_FOLDER}/{file}{HISTORY_ENDING}"),
        })
    };
    let backends: Vec<serde_json::Value> = model.backends.iter().map(backend).collect();
    Ok(serde_json::to_string_pretty(&json!({ "plumbline_site": 1, "title": title, "backends": backends }))? + "\n")
}

/// A site that is being written, in a folder beside its destination. The folder is removed unless the site is
/// published.
struct Draft {
    folder: PathBuf,
}

impl Draft {
    fn new(out: &Path) -> Result<Draft, SiteError> {
        let folder = beside(out, "new");
        if let Some(parent) = folder.parent() {
            std::fs::create_dir_all(parent).map_err(|error| SiteError::io("create", parent, error))?;
        }
        std::fs::create_dir(&folder).map_err(|error| SiteError::io("create", &folder, error))?;
        Ok(Draft { folder })
    }

    /// Returns the path of a file, and creates the folder of the file.
    fn path(&self, name: &str) -> Result<PathBuf, SiteError> {
        let path = self.folder.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(|error| SiteError::io("create", parent, error))?;
        }
        Ok(path)
    }

    fn write(&mut self, name: &str, text: String) -> Result<(), SiteError> {
        let path = self.path(name)?;
        std::fs::write(&path, text).map_err(|error| SiteError::io("write", &path, error))
    }

    /// Moves the site to `out`, where it replaces an earlier site.
    fn publish(self, out: &Path) -> Result<(), SiteError> {
        let error = |error| SiteError::io("write", out, error);
        let old = beside(out, "old");
        let is_there = out.exists();
        if is_there {
            std::fs::rename(out, &old).map_err(error)?;
        }
        if let Err(source) = std::fs::rename(&self.folder, out) {
            if is_there {
                std::fs::rename(&old, out).map_err(error)?;
            }
            return Err(error(source));
        }
        if !is_there {
            return Ok(());
        }
        // Hidden entries, such as `.git`, are not part of a site.
        for entry in std::fs::read_dir(&old).map_err(error)? {
            let name = entry.map_err(error)?.file_name();
            if name.as_encoded_bytes().starts_with(b".") && !out.join(&name).exists() {
                std::fs::rename(old.join(&name), out.join(&name)).map_err(error)?;
            }
        }
        std::fs::remove_dir_all(&old).map_err(error)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // After publishing, the folder is not there any more.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Returns the path of a hidden folder beside `out` that only this process uses.
fn beside(out: &Path, what: &str) -> PathBuf {
    // `site/` and `site` are the same folder.
    let plain: PathBuf = out.components().collect();
    let name = plain.file_name().unwrap_or("site".as_ref()).to_string_lossy().into_owned();
    plain.with_file_name(format!(".{name}.{what}-{}", std::process::id()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_entries_of_the_folder_stay() {
        let parent = tempfile::tempdir().expect("a folder for temporary files");
        let out = parent.path().join("site");
        for name in [".git/HEAD", "old/page.html"] {
            let path = out.join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
            std::fs::write(path, "text").expect("a new file");
        }
        let mut draft = Draft::new(&out).expect("a new folder");
        draft.write("new/page.html", "new".to_owned()).expect("a new file");
        draft.publish(&out).expect("the folder is replaced");
        assert!(out.join(".git/HEAD").is_file() && out.join("new/page.html").is_file());
        assert!(!out.join("old").exists());
        assert_eq!(std::fs::read_dir(parent.path()).expect("the folder").count(), 1);
    }
}
