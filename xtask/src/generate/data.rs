//! The crates of data: each lists the files of a top folder, so that they are embedded in what is built and published.

use std::path::{Path, PathBuf};

use anyhow::Context;

use super::Generated;

/// A top folder, the file of its list, and the files that it lists.
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
        about: "What cases are made of: edge values, run profiles, images, and the cases that are kept for good.",
        listed: &["case_budget.toml", "images", "profiles.toml", "regressions", "values.toml"],
    },
    Folder {
        name: "reports",
        about: "Templates of the report, known verdicts of backends, and how versions of operators differ.",
        listed: &["behaviour", "expectations", "templates"],
    },
];

/// Returns the lists of all data crates of the workspace at `root`.
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

/// Returns the files below a path, without hidden ones.
fn collect(path: &Path, found: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    if path.is_file() {
        found.push(path.to_owned());
        return Ok(());
    }
    for entry in std::fs::read_dir(path).with_context(|| format!("cannot list {}", path.display()))? {
        let entry = entry.with_context(|| format!("cannot list {}", path.display()))?;
        if !entry.file_name().as_encoded_bytes().starts_with(b".") {
            collect(&entry.path(), found)?;
        }
    }
    Ok(())
}
