//! Output that may be cut short: `plumbline spec list | head` is not an error, and neither is a terminal that is closed
//! in the middle of a run.

use std::fmt::Display;
use std::io::{ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether messages go to stderr.
static TO_STDERR: AtomicBool = AtomicBool::new(false);

/// Makes `println!` and `print!` write to stderr from now on, because stdout is for something else.
pub fn print_to_stderr() {
    TO_STDERR.store(true, Ordering::Relaxed);
}

/// Returns the stream for messages.
pub(crate) fn messages() -> Box<dyn Write> {
    match TO_STDERR.load(Ordering::Relaxed) {
        true => Box::new(std::io::stderr().lock()),
        false => Box::new(std::io::stdout().lock()),
    }
}

/// Returns a count with its noun: `1 case`, `2 cases`.
pub(crate) fn counted<N: Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    let ending = if count == N::from(1) { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

/// Writes to stdout. If the reader has closed the pipe, the rest is dropped without an error.
///
/// # Errors
/// Fails if stdout cannot be written for another reason.
pub fn print(text: &str) -> anyhow::Result<()> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Prints a line as the standard macro does. If nobody reads any more or the disk is full, the line is lost, and there
/// is no panic.
macro_rules! println {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!($crate::output::messages(), $($words)*);
    }};
}

/// Prints as the standard macro does, without its panic.
macro_rules! print {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = write!($crate::output::messages(), $($words)*);
    }};
}

/// Prints as the standard macro does, without its panic.
macro_rules! eprintln {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr().lock(), $($words)*);
    }};
}

/// Breaks text at spaces into lines of at most `width` characters. A longer word has a line to itself.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
