//! Finds the files of the data crates, which are embedded in this program.

use include_dir::{Dir, File};

/// Returns the text of the file at `path`.
///
/// # Panics
/// Panics if there is no such file, or if it is not UTF-8. Both are bugs of this program. Its tests read every file, so
/// they find such a bug.
pub fn text(folder: &'static Dir, path: &str) -> &'static str {
    as_text(file(folder, path))
}

/// Returns the contents of the file at `path`.
///
/// # Panics
/// Panics if there is no such file. This is a bug of this program. Its tests read every file, so they find it.
pub fn bytes(folder: &'static Dir, path: &str) -> &'static [u8] {
    file(folder, path).contents()
}

/// Returns the files below an inner folder such as `onnx`, each with its path below the inner folder, sorted by path.
///
/// # Panics
/// Panics if there is no such folder.
pub fn below(folder: &'static Dir, inner: &str) -> Vec<(String, &'static File<'static>)> {
    let top = folder.get_dir(inner).unwrap_or_else(|| panic!("{inner} is not embedded in this program"));
    let mut folders = vec![top];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        folders.extend(folder.dirs());
        let path = |file: &File| {
            let path = file.path().strip_prefix(top.path()).unwrap_or(file.path());
            path.to_string_lossy().replace('\\', "/")
        };
        found.extend(folder.files().map(|file| (path(file), file)));
    }
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    found
}

fn file(folder: &'static Dir, path: &str) -> &'static File<'static> {
    folder.get_file(path).unwrap_or_else(|| panic!("{path} is not embedded in this program"))
}

/// Returns the text of a file.
///
/// # Panics
/// Panics if the file is not UTF-8.
pub fn as_text(file: &'static File) -> &'static str {
    std::str::from_utf8(file.contents()).unwrap_or_else(|error| panic!("{}: {error}", file.path().display()))
}
