//! Ctrl-C: the first one ends the command in good order, and the second one ends it at once.

use anyhow::Context;
use plumbline_conformance::Interrupt;

/// The exit code of a program that Ctrl-C ended, as shells use it: 128 plus the number of SIGINT.
const ENDED: i32 = 130;

/// Returns an [`Interrupt`]. Ctrl-C raises it, and so do SIGTERM and SIGHUP on Unix and a closed console on Windows.
/// The second signal ends the process. `message` says what the first signal does.
pub(crate) fn raised_by_signals(message: &'static str) -> anyhow::Result<Interrupt> {
    let interrupt = Interrupt::default();
    let raised = interrupt.clone();
    let handler = move || {
        if raised.is_raised() {
            std::process::exit(ENDED);
        }
        raised.raise();
        eprintln!("{message}");
    };
    ctrlc::set_handler(handler).context("cannot set the handler of Ctrl-C")?;
    Ok(interrupt)
}
