//! The data crates `specs`, `generators` and `reports`: each lists files of its folder, so that they are embedded in
//! what is built and published.

use std::path::{Path, PathBuf};

use anyhow::Context;

use super::Generated;

/// A top folder: its name, the first line of its list, and the files and folders that are listed.
struct Folder {
    name: &'static str,
    about: &'static str,
    listed: &'static [&'static str],
}

const FOLDERS: [Folder; 3] = [
    Folder {
        name: "specs",
        about: "What ONNX and DirectML say of every operator, as text: the files of this folder.",
        listed: &["directml", "dtypes.json", "functions.toml", "onnx", "opsets.json"],
    },
    Folder {
        name: "generators",
        about: "What cases are made of: edge values, run profiles, goals, images, and the cases that are kept for good.",
        listed: &["case_budget.toml", "goals.toml", "images", "profiles.toml", "regressions", "values.toml"],
    },
    Folder {
        name: "reports",
        about: "Templates of the report, known verdicts of backends, and how versions of operators differ.",
        listed: &["behaviour", "expectations", "templates"],
    },
];

/// Returns the list of each folder in `FOLDERS`; `root` is the workspace.
///
/// # Errors
/// Fails if a folder cannot be read.
pub fn data(root: &Path) -> anyhow::Result<Vec<Generated>> {
    FOLDERS.iter().map(|folder| list(root, folder)).collect()
}

fn list(root: &Path, folder: &Folder) -> anyhow::Result<Generated> {
    let top = root.join(folder.name);
    let mut paths = Vec::new();
    for listed in folder.listed {
        collect(&top.join(listed), &mut paths)?;
    }
    let below = |path: &PathBuf| path.strip_prefix(&top).map(|p| p.to_string_lossy().replace('\\', "/"));
    let mut names = paths.iter().map(below).collect::<Result<Vec<String>, _>>()?;
    names.sort();
    let lines: String = names.iter().map(|name| format!("({name:?}, include_bytes!({name:?})),\n")).collect();
    let text = format!(
        "//! {}\n//!\n//! Written by `cargo xtask generate`; not edited by hand.\n\n\
         /// Path below this folder and contents of each file, sorted by path.\npub static FILES: &[(&str, &[u8])] = &[\n{lines}];\n",
        folder.about
    );
    Ok(Generated { path: Path::new(folder.name).join("lib.rs"), text })
}

/// Adds the file at a path, or the files below it, to `found`. Leaves out hidden files and snapshots that nobody has
/// accepted yet.
fn collect(path: &Path, found: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    if path.is_file() {
        found.push(path.to_owned());
        return Ok(());
    }
    for entry in std::fs::read_dir(path).with_context(|| format!("cannot list {}", path.display()))? {
        let entry = entry.with_context(|| format!("cannot list {}", path.display()))?;
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        if !name.starts_with(b".") && !name.ends_with(b".snap.new") {
            collect(&entry.path(), found)?;
        }
    }
    Ok(())
}
