//! Tests what a run on a wrong backend prints and writes, from the console to the folder that repeats a failure.

use std::path::Path;

use crate::Session;

/// The arguments of a small run of Floor.
const FLOOR: [&str; 9] =
    ["conformance", "--op", "Floor-13", "--dtype", "float", "--suite", "generated", "--cases", "3"];

fn floor<'a>(backend: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&FLOOR[..], &["--backend", backend, "--out", "out"], more].concat()
}

/// Returns the paths of all files below a folder, sorted.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => found.push(path.strip_prefix(folder).unwrap().display().to_string()),
            }
        }
    }
    found.sort();
    found
}

/// Returns the names of the folders in `out/repro`.
fn failures(session: &Session) -> Vec<String> {
    let folders = std::fs::read_dir(session.path("out/repro")).unwrap();
    let mut names: Vec<String> =
        folders.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_right_backend_conforms() {
    let mut session = Session::new();
    session.run(&floor("cpu", &[]));
    insta::assert_snapshot!(session.printed());
}

#[test]
fn a_wrong_backend_does_not_conform() {
    let mut session = Session::new();
    session.run(&floor("mock:lie", &[]));
    insta::assert_snapshot!(session.printed());
}

#[test]
fn the_summary_has_a_row_for_each_backend() {
    let mut session = Session::new();
    session.run(&floor("mock:lie", &["--backend", "cpu", "--backend", "mock:exit"]));
    session.show("out/summary.md");
    insta::assert_snapshot!(session.printed());
}

#[test]
fn known_failures_are_expected() {
    let mut session = Session::new();
    let known = |verdict: &str, reason: &str| {
        format!(
            "\n[[expect]]\nop = \"Floor-13\"\nverdict = \"{verdict}\"\nblame = \"backend\"\nreason = \"{reason}\"\ncases = 3\n"
        )
    };
    session.write("known.toml", "backend = \"mock:lie\"\n".to_owned() + &known("fail", "it lies"));
    session.run(&floor("mock:lie", &["--expectations", "known.toml"]));
    session.show("out/summary.md");
    // Every cell of the operator has to run before an entry can be stale.
    session.write("stale.toml", "backend = \"mock:ok\"\n".to_owned() + &known("crash", "it once crashed"));
    let every_cell =
        ["conformance", "--op", "Floor-13", "--suite", "generated", "--cases", "3", "--backend", "mock:ok"];
    session.run(&[&every_cell[..], &["--out", "out", "--gate", "--expectations", "stale.toml"]].concat());
    insta::assert_snapshot!(session.printed());
}

/// Runs the commands on the `repeat` lines of `printed`, the output of a run, as if they were pasted into a shell.
/// Returns the output and the exit code of each command.
#[cfg(unix)]
fn pasted(session: &Session, printed: &str) -> Vec<(String, Option<i32>)> {
    let program = Path::new(env!("CARGO_BIN_EXE_plumbline")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let commands = printed.lines().filter_map(|line| line.strip_prefix("  repeat     "));
    let run = |command: &str| {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", command]).current_dir(session.folder.path()).env("PATH", &path);
        let output = shell.env("PLUMBLINE_CACHE", session.cache.path()).output().unwrap();
        (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
    };
    commands.map(run).collect()
}

#[cfg(unix)]
#[test]
fn the_command_of_each_cause_repeats_it() {
    let mut session = Session::new();
    let program = env!("CARGO_BIN_EXE_plumbline");
    let worker = format!("process:'{program}' worker --backend mock:drift");
    session.run(&floor("mock:lie", &["--backend", "mock:exit", "--backend", &worker]));
    let results = pasted(&session, &session.printed);
    assert_eq!(results.len(), 3, "{}", session.printed);
    for (printed, code) in results {
        assert!(printed.contains("verdict  fail") || printed.contains("verdict  crash"), "{printed}");
        assert_eq!(code, Some(1), "{printed}");
    }
    session.printed.clear();
    session.run(&floor("mock:hang", &["--deadline-ms", "200"]));
    assert!(session.printed.contains("--backend mock:hang --deadline-ms 200"), "{}", session.printed);
    let results = pasted(&session, &session.printed);
    assert!(matches!(results.as_slice(), [(_, Some(1))]), "{results:?}");
}

/// Replays a published case by its id and by the folder of its failure. Then makes the published output wrong, so
/// that a run on the oracle fails, and replays that failure.
#[cfg(unix)]
#[test]
fn published_cases_are_repeated_by_their_folder_or_id() {
    let mut session = Session::new();
    session.run(&floor("mock:lie", &[]));
    let suite = session.cache.path().join("suites/onnx-1.23.2");
    let repro = session.path("out/repro").join(&failures(&session)[0]);
    crate::copy_folder(&repro, &suite.join("node/test_floor"));
    let manifest = r#"{"suite": "onnx:1.23.2", "wheel": "", "computed_by": {}, "cases": {"node": 1}}"#;
    std::fs::write(suite.join("suite.json"), manifest).unwrap();
    session.printed.clear();
    session.run(&["conformance", "--suite", "onnx:1.23.2", "--backend", "mock:lie", "--out", "out"]);
    assert!(session.printed.contains("fail (wrong-value): onnx:1.23.2/node/test_floor"), "{}", session.printed);
    let results = pasted(&session, &session.printed);
    assert!(matches!(results.as_slice(), [(_, Some(1))]), "{results:?}");
    session.printed.clear();
    session.run(&["replay", "onnx:1.23.2/node/test_floor", "--backend", "mock:lie"]);
    session.run(&["replay", "onnx:1.23.2/node/test_floor", "--backend", "cpu"]);
    session.run(&["replay", "onnx:1.23.2/node/test_ceil", "--backend", "cpu"]);
    // From here on the published output is wrong, and a run on the oracle finds that.
    let outputs = suite.join("node/test_floor/test_data_set_0");
    std::fs::copy(outputs.join("input_0.pb"), outputs.join("output_0.pb")).unwrap();
    session.run(&["conformance", "--suite", "onnx:1.23.2", "--backend", "reference", "--out", "out"]);
    let results = pasted(&session, &session.printed);
    assert!(matches!(results.as_slice(), [(_, Some(1))]), "{results:?}");
    insta::assert_snapshot!(session.printed());
}

#[test]
fn a_folder_that_the_oracle_refuses_has_to_be_refused() {
    let mut session = Session::new();
    std::fs::create_dir_all(session.path("wrong/test_data_set_0")).unwrap();
    session.write(
        "wrong/model.txt",
        "<ir_version: 7, opset_import: [\"\" : 13]>\nfloors (float[2] x) => (float[2] y) { y = Softmax<axis = 5> (x) }\n",
    );
    // A tensor of two zeros: its extent, its type, its bytes.
    session.write("wrong/test_data_set_0/input_0.pb", [&[8, 2, 16, 1, 74, 8][..], &[0; 8]].concat());
    session.run(&["replay", "wrong", "--backend", "cpu"]);
    session.run(&["replay", "wrong", "--backend", "mock:exit"]);
    insta::assert_snapshot!(session.printed());
}

#[test]
fn a_terminal_obeys_nothing_that_a_backend_says() {
    let mut session = Session::new();
    session.run(&floor("mock:escape", &[]));
    session.run(&["replay", "Floor-13/T=float/1@0", "--backend", "mock:escape"]);
    assert!(session.printed.contains("rings\\u{7} and ends"), "{}", session.printed);
    let obeyed = session.printed.chars().find(|c| c.is_control() && *c != '\n');
    assert_eq!(obeyed, None, "{}", session.printed);
}

#[test]
fn replay_lists_the_first_elements_or_all() {
    let mut session = Session::new();
    session.run(&["replay", "Floor-13/T=float/8@0", "--backend", "mock:lie"]);
    session.run(&["replay", "Floor-13/T=float/8@0", "--backend", "mock:lie", "--all"]);
    insta::assert_snapshot!(session.printed());
}

#[test]
fn a_failure_has_a_folder_that_repeats_it() {
    let mut session = Session::new();
    session.run(&floor("mock:lie", &[]));
    session.printed.clear();
    for failure in failures(&session) {
        let folder = format!("out/repro/{failure}");
        for file in files(&session.path(&folder)) {
            let path = format!("{folder}/{file}");
            match file.rsplit_once('.').map(|(_, extension)| extension) {
                Some("onnx" | "pb") => session.printed += &format!("# {path}\n(binary)\n\n"),
                Some("html") => session.printed += &format!("# {path}\n(page)\n\n"),
                _ => session.show(&path),
            }
        }
        session.run(&["replay", &folder, "--backend", "mock:lie"]);
        session.run(&["replay", &folder, "--backend", "cpu"]);
    }
    insta::assert_snapshot!(session.printed());
}

/// Runs each command that the pages of a run show, in the folder of the report, where users are meant to paste it.
#[cfg(unix)]
#[test]
fn the_commands_on_the_pages_repeat_the_failures() {
    let mut session = Session::new();
    session.run(&floor("mock:lie", &["--backend", "mock:exit"]));
    let program = Path::new(env!("CARGO_BIN_EXE_plumbline")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let pages = failures(&session).into_iter().map(|name| format!("out/repro/{name}/index.html"));
    let mut ran = 0;
    for page in pages.chain(["out/index.html".to_owned()]) {
        let text = std::fs::read_to_string(session.path(&page)).unwrap();
        let commands = text.split("<code class=\"cmd\">").skip(1).map(|rest| rest.split("</code>").next().unwrap());
        for command in commands.filter(|command| command.starts_with("plumbline replay ") && !command.contains("NAME"))
        {
            let command = command.replace("&#39;", "'").replace("&quot;", "\"").replace("&amp;", "&");
            let mut shell = std::process::Command::new("sh");
            shell.args(["-c", &command]).current_dir(session.path("out")).env("PATH", &path);
            let output = shell.env("PLUMBLINE_CACHE", session.cache.path()).output().unwrap();
            assert_eq!(output.status.code(), Some(1), "{page}: {command}\n{}", String::from_utf8_lossy(&output.stderr));
            ran += 1;
        }
    }
    // The page of each of the two folders has one command. The report has two for each failure, and one as an example.
    assert_eq!(ran, 2 + 4 + 1);
}

#[test]
fn a_replayed_failure_is_minimized() {
    let mut session = Session::new();
    session.run(&["replay", "mutated/Floor-13/T=float/2@0", "--backend", "mock:lie", "--minimize", "smaller"]);
    session.show("smaller/model.txt");
    session.run(&["replay", "smaller", "--backend", "mock:lie"]);
    insta::assert_snapshot!(session.printed());
}
