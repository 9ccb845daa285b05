//! Turns results into the files of a report.

use std::path::{Path, PathBuf};

use plumbline_conformance::{Base, CaseResult};
use plumbline_spec::Spec;

use crate::html::{Repros, html};
use crate::{Aggregator, ReportError, ResultsFile, RunMeta, Summary, json, junit, markdown, tools_markdown};

/// The input of a report.
pub struct ReportInput<'a> {
    /// The specifications that the run tested.
    pub spec: &'a Spec,
    /// The results.
    pub results: Results<'a>,
    /// The failures of another run, which are marked in the results. The default marks none.
    pub base: Base,
    /// The other facts about the run.
    pub meta: RunMeta,
}

/// The source of results. Results are counted one by one and are never all in memory.
pub enum Results<'a> {
    /// Results files, for example one for each shard of a run.
    Files(Vec<PathBuf>),
    /// Results from an iterator.
    Stream(Box<dyn Iterator<Item = CaseResult> + 'a>),
}

impl ReportInput<'_> {
    /// Counts the results.
    ///
    /// # Errors
    /// Fails if a file cannot be read or has a line that is not a result, or if there are too many cells. A last line
    /// that was cut off is not an error; [`Summary::truncated`] lists the file.
    pub fn summarize(self) -> Result<Summary, ReportError> {
        let mut aggregator = Aggregator::new();
        let marked = |mut result: CaseResult| {
            self.base.mark(&mut result);
            result
        };
        match self.results {
            Results::Files(paths) => {
                for path in paths {
                    let mut file = ResultsFile::from_path(&path)?;
                    for result in file.by_ref() {
                        aggregator.add(marked(result?))?;
                    }
                    if file.truncated() {
                        aggregator.add_truncated(path.display().to_string());
                    }
                }
            }
            Results::Stream(results) => {
                for result in results {
                    aggregator.add(marked(result))?;
                }
            }
        }
        Ok(aggregator.finish(self.meta))
    }

    /// Counts the results and writes `index.html`, `junit.xml`, `summary.md` and `summary.json` into `out`, which is
    /// created if it does not exist. Failures link to the folders in `out/repro`. Each of these folders that records a
    /// failure gets a page of its own.
    ///
    /// # Errors
    /// Fails like [`ReportInput::summarize`], and like [`write()`].
    pub fn write(self, out: &Path) -> Result<Summary, ReportError> {
        let spec = self.spec;
        let summary = self.summarize()?;
        write(&summary, spec, out)?;
        Ok(summary)
    }
}

/// Writes `index.html`, `junit.xml`, `summary.md` and `summary.json` into `out`, `tools.md` if tools of ONNX ran, and a
/// page into each folder of `out/repro` that records a failure.
///
/// # Errors
/// Fails if `out` cannot be created, `out/repro` cannot be read, or a file cannot be written.
pub fn write(summary: &Summary, spec: &Spec, out: &Path) -> Result<(), ReportError> {
    std::fs::create_dir_all(out).map_err(|source| ReportError::Io {
        action: "create",
        path: out.to_owned(),
        source,
    })?;
    let repros = Repros::read(out)?;
    let write = |name: &str, text: String| {
        let path = out.join(name);
        std::fs::write(&path, text).map_err(|source| ReportError::Io { action: "write", path, source })
    };
    write("summary.json", json(summary)?)?;
    write("junit.xml", junit(summary)?)?;
    write("summary.md", markdown(summary))?;
    if let Some(text) = tools_markdown(summary, spec, &repros) {
        write("tools.md", text)?;
    }
    write("index.html", html(summary, spec, &repros)?)?;
    repros.write_pages(summary, spec, out)
}
