//! Tests every command on the project's front page, `README.md`. Most commands of `plumbline` run here, in the order of
//! the page and in one folder; for the others, the table names the file that tests what they do.

use std::path::Path;

use crate::{copy_folder, plumbline};

/// How a command of the page is tested.
#[derive(Clone, Copy)]
enum Tested {
    /// It runs here with these arguments added, and exits with this code. The arguments make it quick, or name a
    /// backend that is built in.
    Here(&'static str, i32),
    /// It does not run here; this file tests what it does.
    By(&'static str),
}
use Tested::{By, Here};

/// The commands of the page, in its order.
const COMMANDS: [(&str, Tested); 18] = [
    ("cargo install --path crates/plumbline", By("crates/plumbline/tests/cli/empty_folder.rs")),
    ("plumbline backends", Here("", 0)),
    ("plumbline conformance --profile smoke --backend onnxruntime@1.31.1", Here(SMALL, 1)),
    ("plumbline compare --backend onnxruntime@1.23.2 --against onnxruntime@1.31.1 --profile smoke", Here(SMALL, 1)),
    ("pip install onnx", By("xtask/src/test.rs")),
    ("plumbline init", Here("--runtime mock:lie", 0)),
    ("plumbline doctor", Here("--backend cpu", 0)),
    ("plumbline conformance", Here(SMALL, 1)),
    ("plumbline expectations init known.toml", Here("", 0)),
    ("plumbline conformance --expectations known.toml --gate", Here(SMALL, 0)),
    (
        "pytest --plumbline-backend \"process:python3 backend.py\" --plumbline-op Min",
        By("crates/plumbline/tests/cli/python.rs"),
    ),
    ("plumbline export --out corpus --op Min --op Div --cases 20", Here("--dtype float", 0)),
    ("python corpus/judge.py corpus --runner examples/corpus/onnxruntime_runner.py", By(CORPUS)),
    ("plumbline judge model.onnx inputs outputs --values values", By("crates/plumbline/tests/cli/judge.rs")),
    (
        "plumbline judge model.onnx inputs --backend onnxruntime@1.23.2 --against onnxruntime@1.31.1",
        By("crates/plumbline/tests/cli/judge.rs"),
    ),
    ("plumbline site examples/history --out site", Here("", 0)),
    ("cargo xtask conformance --profile smoke", By("xtask/src/test.rs")),
    ("cargo xtask test", By(".ci/run")),
];

/// The options of a run of one cell.
const SMALL: &str = "--op Floor-13 --dtype float --suite generated --cases 3";
const CORPUS: &str = "crates/plumbline/tests/cli/export.rs";

/// Stand-ins for runtimes that would have to be fetched: the older one is right, and the newer one is wrong.
const STAND_INS: [(&str, &str); 2] = [("onnxruntime@1.23.2", "cpu"), ("onnxruntime@1.31.1", "mock:lie")];

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Returns the commands in the `sh` code blocks of a page, without their comments.
fn commands(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        match line.trim_end() {
            "```sh" => inside = true,
            "```" => inside = false,
            line if inside && !line.is_empty() => {
                found.push(line.split(" # ").next().unwrap_or_default().trim().to_owned());
            }
            _ => {}
        }
    }
    found
}

#[test]
fn every_command_of_the_front_page_is_tested() {
    let page = std::fs::read_to_string(root().join("README.md")).unwrap();
    let known: Vec<&str> = COMMANDS.iter().map(|(command, _)| *command).collect();
    assert_eq!(commands(&page), known, "README.md and COMMANDS do not list the same commands in the same order");
    for (command, tested) in COMMANDS {
        let Tested::By(file) = tested else { continue };
        assert!(root().join(file).is_file(), "{command}: there is no {file}");
    }
}

#[test]
fn the_commands_of_the_front_page_run() {
    let (folder, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    copy_folder(&root().join("examples/history"), &folder.path().join("examples/history"));
    for (command, tested) in COMMANDS {
        let Tested::Here(more, code) = tested else { continue };
        let mut words = shlex::split(&format!("{command} {more}")).unwrap();
        assert_eq!(words.remove(0), "plumbline");
        for word in &mut words {
            if let Some((_, other)) = STAND_INS.iter().find(|(runtime, _)| runtime == word) {
                *word = (*other).to_owned();
            }
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let done = plumbline(folder.path(), cache.path(), &words);
        let said = [done.stdout, done.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        assert_eq!(done.status.code(), Some(code), "{command}\n{words:?}\n{said}");
        if command.contains("expectations init") {
            let known = folder.path().join("known.toml");
            let text = std::fs::read_to_string(&known).unwrap();
            let unwritten = ["\"TO", "DO\""].concat();
            assert!(text.contains(&unwritten), "{text}");
            std::fs::write(known, text.replace(&unwritten, "\"it lies\"")).unwrap();
        }
    }
    for left in ["plumbline-results/index.html", "plumbline.toml", "corpus/judge.py", "site/index.html"] {
        assert!(folder.path().join(left).is_file(), "the commands did not write {left}");
    }
}
