//! Finds the files of the data crates, which are embedded in this program.

/// The path of a file below its folder, and its contents.
pub type File = (&'static str, &'static [u8]);

/// Returns the text of the file at `path`.
///
/// # Panics
/// Panics if there is no such file, or if it is not UTF-8. Both are bugs of this program. Its tests read every file, so
/// they find such a bug.
pub fn text(files: &'static [File], path: &str) -> &'static str {
    as_text(&(path, bytes(files, path)))
}

/// Returns the contents of the file at `path`.
///
/// # Panics
/// Panics if there is no such file. This is a bug of this program. Its tests read every file, so they find it.
pub fn bytes(files: &'static [File], path: &str) -> &'static [u8] {
    let found = files.binary_search_by(|(name, _)| (*name).cmp(path));
    files[found.unwrap_or_else(|_| panic!("{path} is not embedded in this program"))].1
}

/// Returns the files below a folder such as `onnx`, each with its path below the folder and its text, sorted by path.
///
/// # Panics
/// Panics if one of the files is not UTF-8.
pub fn below(files: &'static [File], folder: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    files.iter().filter_map(move |file| Some((file.0.strip_prefix(folder)?.strip_prefix('/')?, as_text(file))))
}

fn as_text(&(path, bytes): &(&str, &'static [u8])) -> &'static str {
    std::str::from_utf8(bytes).unwrap_or_else(|error| panic!("{path}: {error}"))
}
