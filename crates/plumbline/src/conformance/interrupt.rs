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
    on_first_signal(message, move || raised.raise())?;
    Ok(interrupt)
}

/// Calls `raise` at the first of these signals.
pub(crate) fn on_first_signal(message: &'static str, raise: impl Fn() + Send + 'static) -> anyhow::Result<()> {
    let mut is_first = true;
    let handler = move || {
        if !std::mem::replace(&mut is_first, false) {
            std::process::exit(ENDED);
        }
        raise();
        eprintln!("{message}");
    };
    ctrlc::set_handler(handler).context("cannot set the handler of Ctrl-C")
}
