//! Reads `results.jsonl` line by line, without keeping it in memory.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use plumbline_conformance::CaseResult;

use crate::ReportError;

/// The longest accepted line in bytes. This is far longer than any result, but too short to exhaust the memory.
const MAX_LINE_BYTES: u64 = 16 << 20;

/// Iterates over the results in a file.
///
/// If a run is killed, the last line may be incomplete and have no newline. This is not an error;
/// [`ResultsFile::truncated`] reports it. Blank lines are skipped. Any other line that is not a result is an error.
pub struct ResultsFile<R = BufReader<File>> {
    path: PathBuf,
    reader: R,
    line: u64,
    buffer: Vec<u8>,
    truncated: bool,
    ended: bool,
}

impl ResultsFile {
    /// Opens a results file.
    ///
    /// # Errors
    /// Fails if the file cannot be opened.
    pub fn from_path(path: &Path) -> Result<ResultsFile, ReportError> {
        let file =
            File::open(path).map_err(|source| ReportError::Io { action: "read", path: path.to_owned(), source })?;
        Ok(ResultsFile::new(path, BufReader::with_capacity(1 << 18, file)))
    }
}

impl<R: BufRead> ResultsFile<R> {
    /// Reads results from `reader`. Errors refer to it as `path`.
    pub fn new(path: &Path, reader: R) -> ResultsFile<R> {
        ResultsFile { path: path.to_owned(), reader, line: 0, buffer: Vec::new(), truncated: false, ended: false }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns whether the last line was cut off. This is only known after the iterator has ended.
    pub fn truncated(&self) -> bool {
        self.truncated
    }

    fn read(&mut self) -> Result<Option<CaseResult>, ReportError> {
        loop {
            self.buffer.clear();
            let length = (&mut self.reader)
                .take(MAX_LINE_BYTES)
                .read_until(b'\n', &mut self.buffer)
                .map_err(|source| ReportError::Io { action: "read", path: self.path.clone(), source })?;
            if length == 0 {
                return Ok(None);
            }
            self.line += 1;
            let whole = self.buffer.last() == Some(&b'\n');
            if !whole && length as u64 == MAX_LINE_BYTES {
                return Err(self.line_error(format!("the line is longer than {MAX_LINE_BYTES} bytes")));
            }
            if self.buffer.trim_ascii().is_empty() {
                continue;
            }
            match serde_json::from_slice(&self.buffer) {
                Ok(result) => return Ok(Some(result)),
                Err(_) if !whole => {
                    self.truncated = true;
                    return Ok(None);
                }
                Err(error) => return Err(self.line_error(describe(&error))),
            }
        }
    }

    fn line_error(&self, message: String) -> ReportError {
        ReportError::Line { path: self.path.clone(), line: self.line, message }
    }
}

/// Formats an error without its line number. serde_json only ever gets one line, so its line number says nothing.
fn describe(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let text = text.split(" at line ").next().unwrap_or_default();
    format!("{text} (column {})", error.column())
}

impl<R: BufRead> Iterator for ResultsFile<R> {
    type Item = Result<CaseResult, ReportError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.read().transpose();
        self.ended = !matches!(next, Some(Ok(_)));
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"{"case":"a","suite":"generated","domain":"ai.onnx","op":"Min","since":13,"types":{"T":"float"},"backend":"rten 0.27","verdict":"pass"}"#;

    fn read(bytes: &[u8]) -> (Vec<Result<CaseResult, String>>, bool) {
        let mut file = ResultsFile::new(Path::new("some/results.jsonl"), bytes);
        let results = file.by_ref().map(|result| result.map_err(|error| error.to_string())).collect();
        (results, file.truncated())
    }

    #[test]
    fn blank_lines_and_a_missing_last_newline_are_fine() {
        let (results, truncated) = read(format!("{GOOD}\n\n{GOOD}\r\n{GOOD}").as_bytes());
        assert_eq!(results.len(), 3);
        assert!(results.iter().all(Result::is_ok));
        assert!(!truncated);
        assert_eq!(read(b""), (vec![], false));
    }

    #[test]
    fn a_cut_off_last_line_is_reported_and_not_an_error() {
        for end in 1..GOOD.len() {
            let (results, truncated) = read(format!("{GOOD}\n{}", &GOOD[..end]).as_bytes());
            assert_eq!((results.len(), truncated), (1, true), "cut at {end}");
        }
    }

    #[test]
    fn errors_name_file_and_line() {
        let unknown = GOOD.replace("\"case\"", "\"colour\":1,\"case\"");
        let missing = GOOD.replace("\"suite\":\"generated\",", "");
        let verdict = GOOD.replace("\"pass\"", "\"passed\"");
        let negative = GOOD.replace("\"since\":13", "\"since\":-13");
        for (line, expected) in [
            (unknown.as_str(), "unknown field `colour`"),
            (&missing, "missing field `suite`"),
            (&verdict, "unknown variant `passed`"),
            (&negative, "invalid value: integer `-13`"),
            ("[]", "invalid length 0"),
            ("{]", "key must be a string"),
            ("\u{0}\u{0}", "expected value"),
        ] {
            let (results, truncated) = read(format!("{GOOD}\n{line}\n{GOOD}\n").as_bytes());
            assert_eq!(results.len(), 2, "nothing is read after an error");
            let error = results[1].as_ref().unwrap_err();
            assert!(error.starts_with("some/results.jsonl:2: not a line of results: "), "{error}");
            assert!(error.contains(expected), "{error}");
            assert!(!truncated);
        }
        let (results, _) = read(b"{\"case\":\"\xff\"}\n");
        assert!(results[0].as_ref().unwrap_err().contains("results.jsonl:1:"), "{results:?}");
    }

    #[test]
    fn an_endless_line_is_an_error_and_is_not_kept_in_memory() {
        let endless = std::io::repeat(b'x').take(MAX_LINE_BYTES * 4);
        let mut file = ResultsFile::new(Path::new("r"), BufReader::new(endless));
        let error = file.next().unwrap().unwrap_err().to_string();
        assert!(error.contains("r:1:") && error.contains("longer than"), "{error}");
        assert!(file.next().is_none());
    }
}
