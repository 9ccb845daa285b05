//! Compares the help of every subcommand with a snapshot in `snapshots/help/`: one test for each.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    let trial = |command: Vec<String>| {
        let name = ["plumbline".to_owned()].into_iter().chain(command.iter().cloned()).collect::<Vec<_>>().join("-");
        Trial::test(name.clone(), move || {
            let mut settings = insta::Settings::new();
            settings.set_snapshot_path("snapshots/help");
            settings.set_prepend_module_to_snapshot(false);
            settings.set_omit_expression(true);
            settings.bind(|| insta::assert_snapshot!(name, help(&command)));
            Ok(())
        })
    };
    libtest_mimic::run(&Arguments::from_args(), commands().into_iter().map(trial).collect()).exit_code()
}

/// Returns what a subcommand prints with `--help`.
fn help(command: &[String]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_plumbline")).args(command).arg("--help").output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains("xtask"), "the help names `xtask`:\n{text}");
    text
}

/// Returns every subcommand at any depth: the command itself first, and `worker`, which the help does not list, last.
fn commands() -> Vec<Vec<String>> {
    let mut found = vec![vec![]];
    let mut next = 0;
    while let Some(command) = found.get(next).cloned() {
        found.extend(subcommands(&help(&command)).map(|name| [&command[..], &[name]].concat()));
        next += 1;
    }
    found.push(vec!["worker".to_owned()]);
    found
}

/// Returns the names below `Commands:` in a help text.
fn subcommands(help: &str) -> impl Iterator<Item = String> {
    let listed = help.split("\nCommands:\n").nth(1).unwrap_or_default().split("\n\n").next().unwrap_or_default();
    let names = listed.lines().filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect::<Vec<_>>().into_iter()
}
