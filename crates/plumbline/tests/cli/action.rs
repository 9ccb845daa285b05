//! Runs the script of the GitHub Action (`scripts/action.sh`) as the runner does, with the command of this build.

use std::path::Path;
use std::process::Command;

use crate::Session;

/// The command `gh` in a test: it copies the files of a release.
const GH: &str = "#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" = --dir ] && dir=$2; shift; done\ncp release/* \"$dir\"\n";

/// Runs a step with these inputs. Returns what it printed and its exit code.
fn step(session: &Session, name: &str, inputs: &[(&str, &str)]) -> (String, Option<i32>) {
    let program = Path::new(env!("CARGO_BIN_EXE_plumbline")).parent().unwrap();
    let path = std::env::var("PATH").unwrap();
    let mut command = Command::new("bash");
    command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/action.sh")).arg(name);
    let path = format!("{}:{}:{path}", session.folder.path().display(), program.display());
    command.current_dir(session.folder.path()).env("PATH", path);
    command.env("PLUMBLINE_CACHE", session.cache.path()).env("NO_COLOR", "1").env("GITHUB_ACTIONS", "true");
    command.env("GITHUB_OUTPUT", session.path("output")).env("GITHUB_STEP_SUMMARY", session.path("summary"));
    command.envs(inputs.iter().copied());
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (text, output.status.code())
}

#[test]
fn the_action_runs_and_writes_summary_outputs_and_annotations() {
    let session = Session::new();
    let args = "--op\nFloor-13\n--suite\ngenerated\n--cases\n3\n";
    let inputs = [("INPUT_BACKEND", "mock:lie\nmock:ok\n"), ("INPUT_ARGS", args), ("INPUT_OUT", "my results")];
    let (said, code) = step(&session, "run", &inputs);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("::error title=Floor-13/"), "{said}");
    let read = |name: &str| std::fs::read_to_string(session.path(name)).unwrap();
    let report = session.path("my results").canonicalize().unwrap();
    assert_eq!(read("output"), format!("exit-code=1\nreport={}\n", report.display()));
    assert!(read("summary").contains("| Floor |") && read("summary").contains("lie | 2 | 14 |"), "{}", read("summary"));
    assert!(session.path("my results/index.html").is_file());
    // The text of an input does not run as a script.
    let inputs = [("INPUT_BACKEND", "$(touch pwned)`touch pwned`; touch pwned")];
    let (said, code) = step(&session, "run", &inputs);
    assert!(code == Some(2) && !session.path("pwned").exists(), "{said}");
}

#[test]
fn a_release_is_installed_if_its_checksum_is_right() {
    use std::os::unix::fs::PermissionsExt;
    let session = Session::new();
    session.write("gh", GH);
    std::fs::set_permissions(session.path("gh"), std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::create_dir(session.path("release")).unwrap();
    session.write("plumbline", "#!/bin/sh\n");
    let make = "tar -czf release/plumbline-x86_64-unknown-linux-gnu.tar.gz plumbline && cd release && \
                (sha256sum -- *.gz || shasum -a 256 -- *.gz) > SHA256SUMS";
    assert!(Command::new("sh").args(["-c", make]).current_dir(session.folder.path()).status().unwrap().success());
    let temp = session.path("temp").display().to_string();
    let path = session.path("path").display().to_string();
    let release = [
        ("INPUT_INSTALL", "release"),
        ("RUNNER_OS", "Linux"),
        ("RUNNER_ARCH", "X64"),
        ("RUNNER_TEMP", &temp),
        ("GITHUB_PATH", &path),
        ("ACTION_REPOSITORY", "example/plumbline"),
        ("ACTION_REF", "v0.1.0"),
    ];
    let (said, code) = step(&session, "install", &release);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{temp}/plumbline\n"));
    assert!(Path::new(&temp).join("plumbline/plumbline").is_file());
    // The archive no longer has the published checksum.
    std::fs::remove_file(&path).unwrap();
    session.write("plumbline", "#!/bin/sh\nexit 1\n");
    let make = "tar -czf release/plumbline-x86_64-unknown-linux-gnu.tar.gz plumbline";
    assert!(Command::new("sh").args(["-c", make]).current_dir(session.folder.path()).status().unwrap().success());
    let (said, code) = step(&session, "install", &release);
    assert!(code != Some(0) && !Path::new(&path).exists(), "{said}");
    let unknown = [&release[..], &[("RUNNER_ARCH", "RISCV64")]].concat();
    let (said, code) = step(&session, "install", &unknown);
    assert!(code != Some(0) && said.contains("there is no release for Linux on RISCV64"), "{said}");
}
