//! Files that are part of this program: those of the crates of data.

/// A file's path below its folder, and its contents.
pub type File = (&'static str, &'static [u8]);

/// The text of a file, by its path.
///
/// # Panics
/// There is no such file, or it is not UTF-8: both are errors of this program, which a test of each file finds.
pub fn text(files: &'static [File], path: &str) -> &'static str {
    as_text(&(path, bytes(files, path)))
}

/// The contents of a file, by its path.
///
/// # Panics
/// There is no such file: an error of this program, which a test of each file finds.
pub fn bytes(files: &'static [File], path: &str) -> &'static [u8] {
    let found = files.binary_search_by(|(name, _)| (*name).cmp(path));
    files[found.unwrap_or_else(|_| panic!("{path} is not part of this program"))].1
}

/// The files below a folder, such as `onnx`: path below it and text, sorted by path.
///
/// # Panics
/// One of them is not UTF-8.
pub fn below(files: &'static [File], folder: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    files.iter().filter_map(move |file| Some((file.0.strip_prefix(folder)?.strip_prefix('/')?, as_text(file))))
}

fn as_text(&(path, bytes): &(&str, &'static [u8])) -> &'static str {
    std::str::from_utf8(bytes).unwrap_or_else(|error| panic!("{path}: {error}"))
}
