//! The results of a run that was stopped, which a resumed run takes over instead of running their cases again.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::results::{CaseResult, RunError};
use crate::running::work::Work;

/// The rows of a piece of work in one round of an earlier run.
#[derive(Debug, PartialEq)]
pub(crate) struct Span {
    /// The number of bytes in the file up to the end of the rows.
    pub end: u64,
    /// The number of rows.
    pub rows: usize,
    /// The signatures of the failures among them.
    pub signatures: Vec<String>,
}

/// The fields of a row that [`Earlier`] reads.
#[derive(Deserialize)]
struct Key {
    case: String,
    signature: Option<String>,
}

/// Finds the rows of `results.jsonl` again, in the order of the work.
///
/// Rows are written in the order of the work, and nothing is written behind a piece that was stopped. So all rows of a
/// piece exist if there is a row of a later piece. The last piece with rows may lack some of them, and is run again.
pub(crate) struct Earlier {
    path: PathBuf,
    lines: BufReader<File>,
    next: Option<Key>,
    /// The number of bytes before the next row.
    at: u64,
    /// The number of bytes up to and including the next row.
    read: u64,
    /// The number of bytes before the rows of the round that [`Earlier::spans`] was last called for.
    start: u64,
}

impl Earlier {
    /// Opens the results of an earlier run.
    pub fn from_file(path: &Path) -> Result<Earlier, RunError> {
        let file = File::open(path).map_err(|source| RunError::Io { path: path.to_owned(), source })?;
        let lines = BufReader::new(file);
        let mut earlier = Earlier { path: path.to_owned(), lines, next: None, at: 0, read: 0, start: 0 };
        earlier.advance()?;
        Ok(earlier)
    }

    /// Reads the next row. A last line that was cut off counts as the end.
    fn advance(&mut self) -> Result<(), RunError> {
        self.at = self.read;
        self.next = None;
        if let Some(line) = line(&mut self.lines, &self.path)? {
            self.next = Some(parse(&line, &self.path, self.at)?);
            self.read += line.len() as u64;
        }
        Ok(())
    }

    /// Returns the rows of the pieces that were done in this round, from the first piece on. If `work` has more pieces,
    /// the earlier run stopped in this round. `cases` gives the indices of a piece's cases in this round.
    /// `may_be_empty` says whether the round may have no rows at all, because no case has a selected form.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or if a line is not a result. Unless `may_be_empty`, also fails if rows are
    /// left but none of them belongs to this round. [`Earlier::finish`] finds foreign rows that follow the rows of a
    /// round.
    pub fn round(
        &mut self,
        work: &[Work],
        cases: impl Fn(&Work) -> Range<u64>,
        may_be_empty: bool,
    ) -> Result<Vec<Span>, RunError> {
        let mut done = self.spans(work, cases)?;
        if self.at == self.start && !may_be_empty {
            self.finish()?;
        }
        // If the file ends in this round, the last piece with rows may lack some of them, and nothing shows that the
        // pieces after it were run.
        if self.next.is_none() {
            done.truncate(done.iter().rposition(|span| span.rows > 0).unwrap_or(0));
        }
        Ok(done)
    }

    /// Returns the rows of each piece in this round, up to the piece with the last row of the file. That piece may lack
    /// rows; [`Earlier::round`] leaves it out.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or if a line is not a result.
    pub fn spans(&mut self, work: &[Work], cases: impl Fn(&Work) -> Range<u64>) -> Result<Vec<Span>, RunError> {
        self.start = self.at;
        let mut done: Vec<Span> = Vec::new();
        for piece in work {
            if self.next.is_none() {
                break;
            }
            let (name, cases) = (piece.to_string(), cases(piece));
            let (mut rows, mut signatures) = (0, vec![]);
            while let Some(row) = self.next.take_if(|row| belongs(&row.case, &name, &cases)) {
                rows += 1;
                signatures.extend(row.signature);
                self.advance()?;
            }
            done.push(Span { end: self.at, rows, signatures });
        }
        Ok(done)
    }

    /// Returns the number of bytes before the rows of the round that [`Earlier::spans`] was last called for.
    pub fn start_of_round(&self) -> u64 {
        self.start
    }

    /// Returns an error if rows are left that no piece of work has.
    pub fn finish(&self) -> Result<(), RunError> {
        match &self.next {
            None => Ok(()),
            Some(row) => Err(RunError::Resume(format!(
                "{}: the case {} does not belong to this run, so the stopped run had other settings",
                self.path.display(),
                row.case
            ))),
        }
    }

    /// Returns a reader at the first row of the round that [`Earlier::spans`] was last called for.
    pub fn rows(&self) -> Result<Rows, RunError> {
        let io = |source| RunError::Io { path: self.path.clone(), source };
        let mut file = File::open(&self.path).map_err(io)?;
        file.seek(SeekFrom::Start(self.start)).map_err(io)?;
        Ok(Rows { path: self.path.clone(), lines: BufReader::new(file) })
    }
}

/// Reads the rows of a round, piece by piece.
pub(crate) struct Rows {
    path: PathBuf,
    lines: BufReader<File>,
}

impl Rows {
    /// Returns the rows of the next piece.
    pub fn take(&mut self, span: &Span) -> Result<Vec<CaseResult>, RunError> {
        let row = |_| {
            let line = line(&mut self.lines, &self.path)?.unwrap_or_default();
            parse(&line, &self.path, span.end)
        };
        (0..span.rows).map(row).collect()
    }
}

/// Reads a line that ends with a newline. Returns `None` at the end, and for a last line without a newline.
fn line(lines: &mut impl BufRead, path: &Path) -> Result<Option<Vec<u8>>, RunError> {
    let mut line = Vec::new();
    lines.read_until(b'\n', &mut line).map_err(|source| RunError::Io { path: path.to_owned(), source })?;
    Ok((line.last() == Some(&b'\n')).then_some(line))
}

fn parse<T: for<'a> Deserialize<'a>>(line: &[u8], path: &Path, at: u64) -> Result<T, RunError> {
    serde_json::from_slice(line).map_err(|error| {
        RunError::Resume(format!("{}: byte {at}: this is not a line of results: {error}", path.display()))
    })
}

/// Returns whether a case belongs to a piece and its index is one of `cases`.
fn belongs(case: &str, piece: &str, cases: &Range<u64>) -> bool {
    // A published or kept case has the name of its piece.
    if case == piece {
        return cases.contains(&0);
    }
    let Some((name, index)) = case.rsplit_once('/') else { return false };
    let index = index.split_once('@').and_then(|(index, _)| index.parse().ok());
    name == piece && index.is_some_and(|index| cases.contains(&index))
}
