//! Runs the tests of `examples/embedded` under nextest, as the developer of such a crate might. Also runs these tests
//! with a deliberate error in the runtime of the example. The tests of the workspace include them without that error.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Returns a Cargo command for all tests of the workspace, in the profile of this test program. For `--test
/// conformance` alone, Cargo would choose other options of link-time optimization and compile everything again.
fn cargo(subcommand: &[&str]) -> Command {
    let exe = std::env::current_exe().unwrap();
    // target/debug/deps/embedded-0123456789abcdef
    let profile = exe.ancestors().nth(2).unwrap().file_name().unwrap().to_str().unwrap();
    let profile = if profile == "debug" { "dev" } else { profile };
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let profile_option = if subcommand[0] == "nextest" { "--cargo-profile" } else { "--profile" };
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    command
        .args(subcommand)
        .args(["--workspace", "--tests", profile_option, profile, "--target-dir"])
        .arg(target)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap())
        .env_remove("NEXTEST");
    command
}

/// Compiles the example with the feature `broken`, in which Floor rounds toward zero, and returns its test program.
fn compile_broken_example() -> PathBuf {
    let options = ["--no-run", "--message-format=json", "--features", "plumbline-embedded-example/broken"];
    let output = cargo(&["test"]).args(options).output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
    let messages = String::from_utf8(output.stdout).unwrap();
    let messages = messages.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let messages: Vec<_> = messages.collect();
    // `cargo xtask test` has compiled everything except for the example with `broken`.
    if std::env::var_os("CI").is_some() {
        let is_new = |message: &&serde_json::Value| message["fresh"] == false;
        let new: Vec<_> = messages.iter().filter(is_new).map(|message| message["package_id"].to_string()).collect();
        assert!(new.iter().all(|package| package.contains("plumbline-embedded-example")), "compiled again: {new:?}");
    }
    let is_test_program =
        |message: &serde_json::Value| message["target"]["name"] == "conformance" && message["executable"].is_string();
    let programs: Vec<_> =
        messages.iter().filter(|m| is_test_program(m)).map(|message| message["executable"].clone()).collect();
    assert_eq!(programs.len(), 1, "{programs:?}");
    programs[0].as_str().unwrap().into()
}

fn text(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}

#[test]
fn the_example_passes_under_nextest() {
    let nextest =
        Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into())).args(["nextest", "--version"]).output();
    if !nextest.is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED: cargo-nextest is not installed, so the example was not run under it");
        return;
    }
    // Only some of the tests run, because nextest starts a process for each.
    let options = ["-E", "package(plumbline-embedded-example) & test(/^Min-/)"];
    let output = cargo(&["nextest", "run"]).args(options).output().unwrap();
    let text = text(&output);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("Min-13/T=float"), "{text}");
    assert!(!text.contains("Min-13/T=double"), "an unsupported cell was run:\n{text}");
}

#[test]
fn an_error_is_found_and_minimized() {
    let output = Command::new(compile_broken_example()).args(["Floor", "--test-threads=1"]).output().unwrap();
    let text = text(&output);
    assert_eq!(output.status.code(), Some(101), "{text}");
    for since in [1, 6, 13] {
        assert!(text.contains(&format!("test Floor-{since}/T=float   ")) && text.contains("FAILED"), "{text}");
    }
    let (_, minimized) =
        text.split_once("minimized:").unwrap_or_else(|| panic!("the output has no minimized case:\n{text}"));
    // One element is enough to show that a negative number is rounded toward zero.
    let line = |start: &str| {
        minimized
            .lines()
            .find(|l| l.starts_with(start))
            .unwrap_or_else(|| panic!("the minimized case has no line `{start}`:\n{text}"))
    };
    assert_eq!(line("node"), "node     Floor(X) -> Y");
    assert!(line("input").starts_with("input    X: float[] [-"), "{text}");
    assert!(
        line("because").starts_with("because  output `Y`[] is -") && line("because").ends_with(" is expected"),
        "{text}"
    );
    assert!(text.contains("run again: cargo test --test conformance -- --exact 'Floor-1/T=float/"), "{text}");
}
