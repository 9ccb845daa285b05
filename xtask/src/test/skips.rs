//! Tests that return early because something is missing. Such a test prints a line that begins with `SKIPPED: `, and the
//! test harness counts it as passed.

/// A test that was skipped.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skip {
    /// The test program and the test.
    pub test: String,
    /// What is missing.
    pub reason: String,
}

/// Beginnings of reasons for which a test may be skipped although `CI=true`, each with why that is right.
const ALLOWED: [(&str, &str); 3] = [
    ("DirectML is a part of Windows", "no other system has it"),
    ("no Chromium was found", "the browser may be missing on a machine without the libraries that it needs"),
    ("cargo-nextest is not installed", "the example is also run by cargo test"),
];

impl Skip {
    /// Returns why the test may be skipped in CI, if it may.
    pub fn allowed(&self) -> Option<&'static str> {
        ALLOWED.iter().find(|(reason, _)| self.reason.starts_with(reason)).map(|(_, why)| *why)
    }
}

/// Takes the outputs of passed tests out of what a test program printed with `--show-output`, and returns the tests that
/// were skipped. The outputs are between the first and the last line `successes:`, and the names of the tests follow;
/// in between may be anything that tests print.
pub fn taken_out(program: &str, printed: &str) -> (String, Vec<Skip>) {
    let lines: Vec<&str> = printed.lines().collect();
    let is_start = |line: &&str| *line == "successes:";
    let (Some(first), Some(last)) = (lines.iter().position(is_start), lines.iter().rposition(is_start)) else {
        return (printed.to_owned(), Vec::new());
    };
    let (mut skips, mut test): (Vec<Skip>, &str) = (Vec::new(), "");
    for line in &lines[first..last] {
        if let Some(name) = line.strip_prefix("---- ") {
            test = name.trim_end_matches(" stdout ----");
        } else if let Some(reason) = line.strip_prefix("SKIPPED: ") {
            let skip = Skip { test: format!("{test} ({program})"), reason: reason.to_owned() };
            if skips.last().is_none_or(|last| last.test != skip.test) {
                skips.push(skip);
            }
        }
    }
    let rest = lines[last + 1..].iter().skip_while(|line| line.is_empty() || line.starts_with("    "));
    let kept = lines[..first].iter().chain(rest).fold(String::new(), |kept, line| kept + line + "\n");
    (kept, skips)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_tests_are_taken_out() {
        let printed = "running 3 tests\ntest a ... ok\n\nsuccesses:\n\n---- a stdout ----\nSKIPPED: no Python\n\
                       SKIPPED: no Python\n\n---- b stdout ----\ntest result: FAILED. 9 passed; 9 failed\n\n\nsuccesses:\n    a\n    b\n\n\
                       failures:\n\n---- c stdout ----\nit is wrong\n\ntest result: FAILED. 2 passed; 1 failed";
        let (kept, skips) = taken_out("cli of plumbline", printed);
        let skip = Skip { test: "a (cli of plumbline)".to_owned(), reason: "no Python".to_owned() };
        assert_eq!(skips, [skip]);
        assert_eq!(
            kept,
            "running 3 tests\ntest a ... ok\n\nfailures:\n\n---- c stdout ----\nit is wrong\n\n\
             test result: FAILED. 2 passed; 1 failed\n"
        );
    }

    #[test]
    fn only_listed_reasons_are_allowed() {
        let allowed = |reason: &str| Skip { test: "a".to_owned(), reason: reason.to_owned() }.allowed().is_some();
        assert!(allowed("DirectML is a part of Windows, and this is Linux"));
        assert!(!allowed("there is no Python"));
    }
}
