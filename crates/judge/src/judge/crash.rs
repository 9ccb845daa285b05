//! The class of a crash: what its message has in common with the messages of crashes that are alike.
//!
//! A message holds how the process ended and what it wrote to stderr. The line that says what happened stands among
//! backtraces and output of earlier cases. So the class consists of how the process ended and of that line, if there is
//! one, instead of all of stderr.

use super::message;
use std::sync::LazyLock;

use plumbline_backend::worker::FATAL_PANICS;
use regex::Regex;

/// Returns the class of a crash with this message.
pub(super) fn class(detail: &str) -> String {
    let (how, stderr) = match detail.split_once("; stderr: ") {
        Some((how, stderr)) => (Some(how), stderr),
        None => (None, detail),
    };
    let lines: Vec<&str> = stderr.lines().collect();
    // Without a line that says what happened, all lines count except those of a log, which tell of earlier cases.
    let text = what_happened(&lines).unwrap_or_else(|| {
        let others: Vec<&str> = lines.into_iter().filter(|line| !is_of_log(line)).collect();
        others.join("\n")
    });
    let text = match how {
        Some(how) if text.is_empty() => how.to_owned(),
        Some(how) => format!("{how}; {text}"),
        None => text,
    };
    // An access to invalid memory raises SIGSEGV or SIGBUS, depending on the address.
    match text.starts_with("signal: ") {
        true => message::class(&text.replacen("(SIGBUS)", "(SIGSEGV)", 1)),
        false => message::class(&text),
    }
}

/// Returns the text of stderr that says what happened. Output of earlier cases comes first, so if several lines say
/// what happened, the last one counts.
fn what_happened(lines: &[&str]) -> Option<String> {
    let at = |place: usize| {
        let line = lines[place];
        panic_message(lines, place)
            .or_else(|| exception(lines, place))
            .or_else(|| python_error(lines, place))
            .or_else(|| FATAL_PARTS.iter().any(|part| line.contains(part)).then(|| (place, line.trim().to_owned())))
    };
    // A message may take several lines. Of the messages that end at the same line, the one that starts first is
    // complete.
    let found = (0..lines.len()).filter_map(at).reduce(|best, next| if next.0 > best.0 { next } else { best });
    found.map(|(_, text)| text)
}

/// Parts of the messages with which glibc, assertions, Rust's allocator and guard page, sanitizers and V8 end a
/// process.
const FATAL_PARTS: [&str; 21] = [
    "free(): ",
    "malloc(): ",
    "realloc(): ",
    "calloc(): ",
    "munmap_chunk(): ",
    "malloc_consolidate(): ",
    "double free or corruption",
    "corrupted size",
    "corrupted double-linked list",
    "stack smashing detected",
    "buffer overflow detected",
    "Assertion `",
    "Assertion '",
    "Assertion failed",
    "ASSERT(",
    "memory allocation of ",
    "has overflowed its stack",
    "Sanitizer: ",
    "runtime error: ",
    "FATAL ERROR: ",
    "Check failed: ",
];

/// Returns whether a line belongs to a log: it starts with a time or with a level below error, perhaps in brackets.
fn is_of_log(line: &str) -> bool {
    static START: LazyLock<Regex> = LazyLock::new(|| {
        let start = r"^[ \t\[(]*(?:[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]|[0-9]{2}:[0-9]{2}:[0-9]{2}|(?:TRACE|DEBUG|INFO|WARN|WARNING)[^A-Za-z]|[IWV][0-9]{4} )";
        Regex::new(start).expect("the pattern is a regular expression")
    });
    // Dots stand for lines that were left out.
    line.trim() == "..." || START.is_match(line)
}

/// Returns the message of the Rust panic that this line starts, without the name of the thread. The number is the index
/// of its last line.
fn panic_message(lines: &[&str], place: usize) -> Option<(usize, String)> {
    let (_, panic) = lines[place].split_once("panicked at ")?;
    // Rust writes the message on the line after the source location, and our own workers on the same line.
    let (last, message) = match panic.strip_suffix(':') {
        Some(location) => (place + 1, format!("{location}: {}", lines.get(place + 1).unwrap_or(&""))),
        None => (place, panic.to_owned()),
    };
    // The panics in `FATAL_PANICS` only follow from another panic.
    let follows = FATAL_PANICS.iter().any(|fatal| message.contains(fatal));
    (!follows).then(|| (last, format!("panicked at {message}")))
}

/// Returns the C++ exception that this line starts, with what it says. The number is the index of its last line.
fn exception(lines: &[&str], place: usize) -> Option<(usize, String)> {
    let line = lines[place].trim();
    line.contains("terminate called").then(|| match lines.get(place + 1).map(|next| next.trim()) {
        Some(what) if what.starts_with("what():") => (place + 1, format!("{line} {what}")),
        _ => (place, line.to_owned()),
    })
}

/// Returns the error of the Python traceback that this line starts, without the traceback. The number is the index of
/// the line with the error.
fn python_error(lines: &[&str], place: usize) -> Option<(usize, String)> {
    if !lines[place].starts_with("Traceback (most recent call last)") {
        return None;
    }
    let error =
        lines[place + 1..].iter().position(|line| !line.is_empty() && !line.starts_with(char::is_whitespace))?;
    Some((place + 1 + error, lines[place + 1 + error].to_owned()))
}

#[cfg(test)]
mod tests {
    use super::class;

    /// Asserts that all messages have this class.
    fn assert_class(expected: &str, details: &[&str]) {
        for detail in details {
            assert_eq!(class(detail), expected, "{detail}");
        }
    }

    #[test]
    fn the_class_of_a_panic_is_its_message() {
        assert_class(
            "signal: # (SIGABRT); panicked at tract-core-#/src/ops/array/gather.rs:#: index out of bounds: the len is # but the index is #",
            &[
                "signal: 6 (SIGABRT); stderr: panicked at tract-core-0.22.1/src/ops/array/gather.rs:88: index out of bounds: the len is 3 but the index is 7\nthread caused non-unwinding panic. aborting.",
                "signal: 6 (SIGABRT); stderr: an earlier case\npanicked at tract-core-0.22.1/src/ops/array/gather.rs:88: index out of bounds: the len is 12 but the index is 99\nthread caused non-unwinding panic. aborting.",
            ],
        );
        assert_class(
            "signal: # (SIGABRT); panicked at tract-linalg-#/src/frame/mmm.rs:#: called `Option::unwrap()` on a `None` value",
            &[
                "signal: 6 (SIGABRT); stderr: thread '<unnamed>' (81234) panicked at /opt/cargo/registry/src/index-1949cf8c6b5b557f/tract-linalg-0.22.1/src/frame/mmm.rs:311:42:\ncalled `Option::unwrap()` on a `None` value\nnote: run with `RUST_BACKTRACE=1`\n\nthread '<unnamed>' (81234) panicked at /rustc/59807616e1fa/library/core/src/panicking.rs:225:5:\npanic in a function that cannot unwind\nstack backtrace:\n   0:     0x55d0c0a3f1f2 - std::backtrace_rs\n...\n  17:     0x7f2bd4a9caa4 - <unknown>\nthread caused non-unwinding panic. aborting.",
                "signal: 6 (SIGABRT); stderr: thread 'worker-3' (5) panicked at /opt/cargo/registry/src/index-aaaa/tract-linalg-0.22.1/src/frame/mmm.rs:9:1:\ncalled `Option::unwrap()` on a `None` value\nstack backtrace:\n   0:     0x5581 - <unknown>",
            ],
        );
        // The message of a panic that our own worker reports does not say how the process ended.
        assert_class(
            "panicked at rten-#/src/ops/slice.rs:#: range end # out of range",
            &["panicked at rten-0.27.0/src/ops/slice.rs:98: range end 7 out of range"],
        );
    }

    #[test]
    fn the_class_of_a_cpp_exception_is_its_type_and_message() {
        assert_class(
            "signal: # (SIGABRT); terminate called after throwing an instance of 'Ort::Exception' what(): tensor # at # has # elements",
            &[
                "signal: 6 (SIGABRT); stderr: terminate called after throwing an instance of 'Ort::Exception'\n  what():  tensor 7 at 0x7ffd12ab44 has 12 elements",
                "signal: 6 (SIGABRT); stderr: 2026-11-23 10:00:00.123 [W:onnxruntime:, x.cc:1] a warning\nterminate called after throwing an instance of 'Ort::Exception'\n  what():  tensor 9 at 0x5 has 1 elements",
            ],
        );
        assert_class(
            "signal: # (SIGABRT); terminate called without an active exception",
            &["signal: 6 (SIGABRT); stderr: terminate called without an active exception"],
        );
    }

    #[test]
    fn lines_of_a_log_do_not_count() {
        let log = "2026-11-25T08:39:06.577715Z  INFO ggml device index=0\n[INFO] compiled nodes=1\n";
        assert_class(
            "signal: # (SIGSEGV)",
            &[
                "signal: 11 (SIGSEGV)",
                "signal: 7 (SIGBUS)",
                &format!("signal: 11 (SIGSEGV); stderr: {log}"),
                &format!("signal: 11 (SIGSEGV); stderr: {log}\n...\n{log}"),
            ],
        );
        assert_class(
            "signal: # (SIGABRT); /src/ggml.c:#: GGML_ASSERT(a->ne[d] == b->ne[d]) failed",
            &[
                &format!(
                    "signal: 6 (SIGABRT); stderr: {log}/src/ggml.c:2635: GGML_ASSERT(a->ne[d] == b->ne[d]) failed"
                ),
                "signal: 6 (SIGABRT); stderr: /src/ggml.c:2635: GGML_ASSERT(a->ne[d] == b->ne[d]) failed",
            ],
        );
    }

    #[test]
    fn messages_of_the_c_library_are_found() {
        assert_class(
            "signal: # (SIGABRT); free(): invalid pointer",
            &[
                "signal: 6 (SIGABRT); stderr: free(): invalid pointer",
                "signal: 6 (SIGABRT); stderr: 2026-11-23 [E:onnxruntime] Div failed\nfree(): invalid pointer",
            ],
        );
        assert_class(
            "signal: # (SIGABRT); *** stack smashing detected ***: terminated",
            &["signal: 6 (SIGABRT); stderr: *** stack smashing detected ***: terminated"],
        );
        assert_class(
            "signal: # (SIGABRT); #: stl_vector.h:#: Assertion '__n < this->size()' failed.",
            &[
                "signal: 6 (SIGABRT); stderr: /tmp/pip-1a/x: stl_vector.h:1123: Assertion '__n < this->size()' failed.",
                "signal: 6 (SIGABRT); stderr: /var/tmp/build-77/y: stl_vector.h:1123: Assertion '__n < this->size()' failed.",
            ],
        );
    }

    #[test]
    fn a_fatal_error_of_v8_has_no_addresses() {
        assert_class(
            "signal: # (SIGABRT); FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
            &[
                "signal: 6 (SIGABRT); stderr: <--- Last few GCs --->\n[4711:0x6dd2000]    12034 ms: Mark-Compact 2047.1 (2083.9) -> 2046.8\n<--- JS stacktrace --->\nFATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n----- Native stack trace -----\n 1: 0xb8d0a3 node::OOMErrorHandler(char const*) [node]\n 2: 0xf06250 v8::Utils::ReportOOMFailure [node]",
                "signal: 6 (SIGABRT); stderr: \\u{1b}[31m<--- Last few GCs --->\\u{1b}[0m\n[9:0x5d0]    9 ms: Scavenge\nFATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n 1: 0xaaaaaa node::Abort() [node]\n...\n15: 0x7f00dead",
            ],
        );
        assert_class(
            "signal: # (SIGTRAP); # Check failed: node->IsInUse().",
            &[
                "signal: 5 (SIGTRAP); stderr: #\n# Fatal error in , line 0\n# Check failed: node->IsInUse().\n#\n#FailureMessage Object: 0x7ffe3a2b1c40",
            ],
        );
    }

    #[test]
    fn the_class_of_a_traceback_is_its_error() {
        assert_class(
            "exit status: #; ValueError: axis # is out of bounds for array of dimension #",
            &[
                "exit status: 1; stderr: Traceback (most recent call last):\n  File \"/opt/mine/backend.py\", line 40, in <module>\n    main()\n    ^^^^^^\n  File \"/opt/mine/backend.py\", line 12, in main\nValueError: axis 4 is out of bounds for array of dimension 2",
                "exit status: 1; stderr: Traceback (most recent call last):\n  File \"x.py\", line 1, in run\nKeyError: 'y'\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File \"x.py\", line 9, in run\nValueError: axis 9 is out of bounds for array of dimension 1",
            ],
        );
    }

    #[test]
    fn other_messages_are_masked_as_a_whole() {
        assert_class("signal: # (SIGSEGV)", &["signal: 11 (SIGSEGV)"]);
        assert_class(
            "it used # GiB of memory, the limit is # GiB",
            &["it used 5.1 GiB of memory, the limit is 4 GiB", "it used 12.0 GiB of memory, the limit is 4 GiB"],
        );
        assert_class(
            "exit status: #; device # lost, see # (id #) behind the facade",
            &[
                "exit status: 3; stderr: device 0xfe lost, see /tmp/a1/log.txt (id 7f3a9c01) behind the facade",
                "exit status: 3; stderr: device 7 lost, see C:\\Users\\x\\AppData\\Local\\Temp\\b2.log (id 4711) behind the facade",
            ],
        );
    }
}
