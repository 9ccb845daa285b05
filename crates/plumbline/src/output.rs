//! Output that may be cut short: `plumbline spec list | head` is not an error, and neither is a terminal that goes away in
//! the middle of a run.

use std::io::{ErrorKind, Write};

/// Writes to stdout. A reader that has gone away ends nothing: what is left is dropped.
///
/// # Errors
/// Any other failure to write.
pub fn print(text: &str) -> anyhow::Result<()> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// As the standard one, which would panic where nobody reads any more or the disk is full; here the line is lost and the work goes on.
macro_rules! println {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout().lock(), $($words)*);
    }};
}

/// As the standard one, without its panic.
macro_rules! print {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = write!(std::io::stdout().lock(), $($words)*);
    }};
}

/// As the standard one, without its panic.
macro_rules! eprintln {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr().lock(), $($words)*);
    }};
}
