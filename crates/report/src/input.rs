//! From results to the files of a report.

use std::path::{Path, PathBuf};

use plumbline_conformance::CaseResult;
use plumbline_spec::Spec;

use crate::html::{html, repro_folders};
use crate::{Aggregator, ReportError, ResultsFile, RunMeta, Summary, json, junit, markdown};

/// What a report is made of.
pub struct ReportInput<'a> {
    /// The specifications the run was held against.
    pub spec: &'a Spec,
    /// The results.
    pub results: Results<'a>,
    /// What else is known of the run.
    pub meta: RunMeta,
}

/// Where results come from. They are counted one by one and never held together.
pub enum Results<'a> {
    /// Files of results, of the shards of a run for example.
    Files(Vec<PathBuf>),
    /// Results as they come.
    Stream(Box<dyn Iterator<Item = CaseResult> + 'a>),
}

impl ReportInput<'_> {
    /// Counts the results.
    ///
    /// # Errors
    /// A file cannot be read or has a line that is not a result (a cut-off last line is none, and is told
    /// in [`Summary::truncated`]), or there are too many cells.
    pub fn summarize(self) -> Result<Summary, ReportError> {
        let mut aggregator = Aggregator::new();
        match self.results {
            Results::Files(paths) => {
                for path in paths {
                    let mut file = ResultsFile::open(&path)?;
                    for result in file.by_ref() {
                        aggregator.add(result?)?;
                    }
                    if file.truncated() {
                        aggregator.add_truncated(path.display().to_string());
                    }
                }
            }
            Results::Stream(results) => {
                for result in results {
                    aggregator.add(result)?;
                }
            }
        }
        Ok(aggregator.finish(self.meta))
    }

    /// Counts the results and writes `index.html`, `junit.xml`, `summary.md` and `summary.json` into
    /// `out`, which is made if it is not there. Failures link to the folders in `out/repro`.
    ///
    /// # Errors
    /// Those of [`ReportInput::summarize`], and files that cannot be written.
    pub fn write(self, out: &Path) -> Result<Summary, ReportError> {
        let spec = self.spec;
        let summary = self.summarize()?;
        write(&summary, spec, out)?;
        Ok(summary)
    }
}

/// Writes `index.html`, `junit.xml`, `summary.md` and `summary.json` into `out`.
///
/// # Errors
/// Files that cannot be written.
pub fn write(summary: &Summary, spec: &Spec, out: &Path) -> Result<(), ReportError> {
    std::fs::create_dir_all(out).map_err(|source| ReportError::Io {
        action: "create",
        path: out.to_owned(),
        source,
    })?;
    let repro = repro_folders(out)?;
    let write = |name: &str, text: String| {
        let path = out.join(name);
        std::fs::write(&path, text).map_err(|source| ReportError::Io { action: "write", path, source })
    };
    write("summary.json", json(summary)?)?;
    write("junit.xml", junit(summary)?)?;
    write("summary.md", markdown(summary))?;
    write("index.html", html(summary, spec, &repro)?)
}
