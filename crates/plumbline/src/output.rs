//! Output that may be cut short: `plumbline spec list | head` is not an error, and neither is a terminal that is closed
//! in the middle of a run.

use std::io::{ErrorKind, Write};

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
        let _ = writeln!(std::io::stdout().lock(), $($words)*);
    }};
}

/// Prints as the standard macro does, without its panic.
macro_rules! print {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = write!(std::io::stdout().lock(), $($words)*);
    }};
}

/// Prints as the standard macro does, without its panic.
macro_rules! eprintln {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr().lock(), $($words)*);
    }};
}

/// Breaks text into lines of at most `width` characters, at spaces.
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
