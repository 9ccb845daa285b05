//! The folder of a run's results. A run first removes the files of an earlier run, unless it resumes that run. Until a
//! run ends, its `run.json` says that it has not ended.

use std::path::Path;

use anyhow::Context;
use plumbline_report::RunMeta;

/// The files that a run and its report write, besides the folder `repro`.
const FILES: [&str; 7] =
    ["results.jsonl", "run.json", "coverage.json", "summary.json", "summary.md", "index.html", "junit.xml"];

/// Removes the files of an earlier run, so that none of them passes for a file of this run. Other files stay.
pub(super) fn clear(out: &Path) -> anyhow::Result<()> {
    let gone = |result: std::io::Result<()>, path: &Path| match result {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("--out: an earlier run's {} cannot be removed", path.display()))
        }
        _ => Ok(()),
    };
    std::fs::create_dir_all(out).map_err(|error| anyhow::anyhow!("{}: {error}", out.display()))?;
    for name in FILES {
        let path = out.join(name);
        // Somebody wants the file elsewhere: the link stays, and the file that it points to is emptied.
        if path.is_symlink() {
            std::fs::File::create(&path).with_context(|| path.display().to_string())?;
            continue;
        }
        gone(std::fs::remove_file(&path), &path)?;
    }
    let repros = out.join("repro");
    gone(std::fs::remove_dir_all(&repros), &repros)
}

/// Returns the facts of a run that has not ended. The report of a killed run shows them.
pub(super) fn unfinished(meta: &RunMeta) -> RunMeta {
    let why = "This run did not end: it still goes on, or it was killed. Cases that it did not reach are missing.";
    RunMeta { incomplete: Some(why.to_owned()), unfinished: true, limits: vec![why.to_owned()], ..meta.clone() }
}

/// Writes `run.json`.
pub(super) fn write_facts(out: &Path, meta: &RunMeta) -> anyhow::Result<()> {
    std::fs::create_dir_all(out).with_context(|| format!("--out {}", out.display()))?;
    let text = serde_json::to_string_pretty(meta).context("run.json")?;
    let path = out.join("run.json");
    std::fs::write(&path, text + "\n").with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_an_earlier_run_are_removed_and_others_stay() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("repro/Min-crash-00000000")).unwrap();
        std::fs::write(dir.path().join("junit.xml"), "<testsuites/>").unwrap();
        std::fs::write(dir.path().join("notes.txt"), "mine").unwrap();
        clear(dir.path()).unwrap();
        let left: Vec<_> = std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["notes.txt"]);
        clear(&dir.path().join("new")).unwrap();
    }
}
