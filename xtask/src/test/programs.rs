//! Runs the test programs of the workspace in parallel: one more at a time than there are cores.
//!
//! `cargo test` runs one program after the other, so that cores are idle during the last test of each program, and
//! while a test waits.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use serde::Deserialize;

use super::skips::taken_out;
use super::{Counts, cargo, in_workspace, shown, threads};

/// A message of Cargo: about something that it compiled, or about code.
#[derive(Deserialize)]
pub struct Message {
    manifest_path: Option<PathBuf>,
    target: Option<Target>,
    profile: Option<Profile>,
    executable: Option<PathBuf>,
    message: Option<Diagnostic>,
}

#[derive(Deserialize)]
struct Diagnostic {
    level: String,
    rendered: Option<String>,
}

impl Message {
    /// Returns whether the compiler or clippy warns.
    pub fn is_warning(&self) -> bool {
        self.message.as_ref().is_some_and(|diagnostic| diagnostic.level == "warning")
    }
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

/// An executable that Cargo compiled from tests, and where it runs.
struct Program {
    name: String,
    path: PathBuf,
    /// The folder of its package, in which it runs.
    package: PathBuf,
}

/// Compiles all test programs and runs them, and then the tests in documentation. `prepare` sets the environment
/// variables of each command.
pub fn run(prepare: &(dyn Fn(&mut Command) + Sync)) -> anyhow::Result<Counts> {
    let sum = in_parallel(programs(prepare)?, threads(), |program| {
        let mut command = Command::new(&program.path);
        command.current_dir(&program.package).env("CARGO_MANIFEST_DIR", &program.package).arg("--show-output");
        counts_of(&mut command, &program.name, prepare)
    })?;
    let words = cargo(&["test", "--workspace", "--doc", "--no-fail-fast"]);
    Ok(sum.plus(counts_of(&mut in_workspace(&words)?, "documentation", prepare)?))
}

/// Calls `work` with each item on this number of threads, which take the items in order. Returns the sum of the counts.
fn in_parallel<T: Send>(
    items: VecDeque<T>,
    threads: usize,
    work: impl Fn(T) -> anyhow::Result<Counts> + Sync,
) -> anyhow::Result<Counts> {
    let items = Mutex::new(items);
    // In the condition of a `while let`, the lock would be held until the work on the item is done.
    let next = || items.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let thread = || -> anyhow::Result<Counts> {
        let mut sum = Counts::default();
        while let Some(item) = next() {
            sum = sum.plus(work(item)?);
        }
        Ok(sum)
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(thread)).collect();
        let mut joined = threads.into_iter().map(std::thread::ScopedJoinHandle::join);
        joined.try_fold(Counts::default(), |sum, done| {
            let counts = done.map_err(|_| anyhow::anyhow!("a thread panicked"))??;
            anyhow::Ok(sum.plus(counts))
        })
    })
}

/// Compiles the test programs and returns them in cargo's order.
fn programs(prepare: &dyn Fn(&mut Command)) -> anyhow::Result<VecDeque<Program>> {
    let words = cargo(&["test", "--workspace", "--no-run", "--message-format=json"]);
    let mut command = in_workspace(&words)?;
    prepare(&mut command);
    let programs: VecDeque<Program> = compile(&mut command, &words)?.into_iter().filter_map(program).collect();
    anyhow::ensure!(!programs.is_empty(), "`{}` found no test program", shown(&words));
    Ok(programs)
}

/// Runs a command of Cargo that writes messages as JSON. Prints what the compiler says, and returns the messages.
pub fn compile(command: &mut Command, words: &[String]) -> anyhow::Result<Vec<Message>> {
    let output = command.stderr(Stdio::inherit()).output().context("cannot start cargo")?;
    let text = String::from_utf8(output.stdout).context("cargo printed something that is not UTF-8")?;
    let messages = text.lines().map(|line| serde_json::from_str::<Message>(line).context("invalid message of cargo"));
    let messages: Vec<Message> = messages.collect::<anyhow::Result<_>>()?;
    messages.iter().filter_map(|m| m.message.as_ref()?.rendered.as_ref()).for_each(|text| eprint!("{text}"));
    anyhow::ensure!(output.status.success(), "`{}` ended with {}", shown(words), output.status);
    Ok(messages)
}

/// Returns the test program that a message is about.
fn program(message: Message) -> Option<Program> {
    let Message { manifest_path: Some(manifest), target: Some(target), profile: Some(profile), executable, .. } =
        message
    else {
        return None;
    };
    let package = manifest.parent()?.to_owned();
    let name = format!("{} of {}", target.name, package.file_name()?.to_string_lossy());
    executable.filter(|_| profile.test).map(|path| Program { name, path, package })
}

/// Runs tests, then prints their output in one piece. Leaves out the lines about tests that passed or are ignored,
/// because these lines would hide the lines about tests that failed.
fn counts_of(command: &mut Command, name: &str, prepare: &dyn Fn(&mut Command)) -> anyhow::Result<Counts> {
    prepare(command);
    let output = command.output().with_context(|| format!("cannot start the tests {name}"))?;
    let (text, skipped) = taken_out(name, &String::from_utf8_lossy(&output.stdout));
    let mut counts = text.lines().filter_map(counted).fold(Counts::default(), Counts::plus);
    counts.passed = counts.passed.saturating_sub(skipped.len() as u64);
    counts.skipped = skipped;
    if !output.status.success() && counts.failed == 0 {
        // A test program did not build, or it ended without a result.
        counts.failed = 1;
    }
    let is_shown =
        |line: &&str| !(line.is_empty() || line.starts_with("running ") || line.starts_with("test ") && is_good(line));
    let shown: Vec<&str> = text.lines().filter(is_shown).collect();
    let errors = String::from_utf8_lossy(&output.stderr);
    let end = if output.status.success() { String::new() } else { format!("\n{name} ended with {}", output.status) };
    println!("-- {name}\n{}{}{end}", errors, shown.join("\n"));
    Ok(counts)
}

fn is_good(line: &str) -> bool {
    line.ends_with(" ok") || line.contains("... ignored")
}

/// Returns the counts in `test result: ok. 12 passed; 0 failed; 1 ignored; ...`.
fn counted(line: &str) -> Option<Counts> {
    let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let number = |word: &str| counts.split("; ").find_map(|part| part.strip_suffix(word)?.trim().parse().ok());
    Some(Counts { passed: number(" passed")?, failed: number(" failed")?, skipped: Vec::new() })
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    fn numbers(passed: u64, failed: u64) -> Counts {
        Counts { passed, failed, skipped: vec![] }
    }

    #[test]
    fn items_are_worked_on_at_the_same_time() {
        // Each of the two items sends to the other and waits for it, so that neither ends before the other has begun.
        let (to_first, first) = mpsc::channel();
        let (to_second, second) = mpsc::channel();
        let items = VecDeque::from([(to_second, first), (to_first, second)]);
        let counts = in_parallel(items, 2, |(other, own)| {
            other.send(())?;
            own.recv_timeout(Duration::from_secs(60))?;
            Ok(Counts::one(true))
        });
        assert_eq!(counts.unwrap(), numbers(2, 0));
    }

    #[test]
    fn results_of_tests_are_counted() {
        let line = "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.02s";
        assert_eq!(counted(line), Some(numbers(12, 0)));
        let line = "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out";
        assert_eq!(counted(line), Some(numbers(3, 2)));
        assert_eq!(counted("test a_result: ok"), None);
    }

    #[test]
    fn a_program_that_ends_without_a_result_has_failed() {
        let counts = |script: &str| counts_of(Command::new("sh").args(["-c", script]), "script", &|_| {}).unwrap();
        let skipped = "echo successes:; echo '---- a stdout ----'; echo 'SKIPPED: no Python'; echo successes:; \
                       echo 'test result: ok. 2 passed; 0 failed; 0 ignored'";
        assert_eq!((counts(skipped).passed, counts(skipped).skipped.len()), (1, 1));
        assert_eq!(counts("exit 3"), numbers(0, 1));
        assert_eq!(counts("echo 'test result: ok. 2 passed; 0 failed; 0 ignored'"), numbers(2, 0));
        let failed = "echo 'test result: FAILED. 2 passed; 1 failed; 0 ignored'; exit 101";
        assert_eq!(counts(failed), numbers(2, 1));
        assert_eq!(counts("echo 'test result: ok. 2 passed; 0 failed; 0 ignored'; kill -9 $$").failed, 1);
    }

    #[test]
    fn warnings_are_distinguished_from_errors_and_other_messages() {
        let is_warning = |text: &str| serde_json::from_str::<Message>(text).unwrap().is_warning();
        let message = |level: &str| {
            format!(
                r#"{{"reason":"compiler-message","target":{{"name":"a"}},"message":{{"rendered":"a","level":"{level}"}}}}"#
            )
        };
        assert!(is_warning(&message("warning")) && !is_warning(&message("error")));
        assert!(!is_warning(r#"{"reason":"build-finished","success":true}"#));
    }

    #[test]
    fn test_programs_are_distinguished_from_other_programs() {
        let message = |test: bool, executable: &str| -> Message {
            let text = format!(
                r#"{{"reason":"compiler-artifact","manifest_path":"/w/crates/spec/Cargo.toml",
                "target":{{"name":"laws","kind":["test"]}},"profile":{{"test":{test}}},"executable":{executable}}}"#
            );
            serde_json::from_str(&text).unwrap()
        };
        let found = program(message(true, r#""/w/target/laws-1""#)).unwrap();
        assert_eq!((found.name.as_str(), found.package.as_path()), ("laws of spec", Path::new("/w/crates/spec")));
        assert!(program(message(true, "null")).is_none());
        assert!(program(message(false, r#""/w/target/laws""#)).is_none());
        assert!(program(serde_json::from_str(r#"{"reason":"build-finished","success":true}"#).unwrap()).is_none());
    }
}
