//! `run.py` of DirectML content as a command: its exit codes, selections and errors, and what a run leaves.

use std::path::{Path, PathBuf};

use plumbline_conformance::Verdict;
use plumbline_generator::directml::SUITE;
use plumbline_graph::Refusal;

use crate::common::results;
use crate::content::{REPLAY, export, models, record, replayed, run_py};
use crate::devices::{DEVICES, Fault, Wrong, is_right};
use crate::python;

/// A content folder, and a program that stands for DxDispatch with the answers of a device.
struct Content {
    python: String,
    dir: tempfile::TempDir,
    replay: PathBuf,
}

impl Content {
    fn new(python: String) -> Content {
        let dir = tempfile::tempdir().unwrap();
        export(&dir.path().join("content")).unwrap();
        let replay = dir.path().join("replay.py");
        std::fs::write(&replay, REPLAY).unwrap();
        Content { python, dir, replay }
    }

    fn folder(&self) -> PathBuf {
        self.dir.path().join("content")
    }

    fn answers(&self, name: &str, device: &Wrong) -> PathBuf {
        let answers = self.dir.path().join(name);
        record(&self.folder(), &answers, device);
        answers
    }

    /// Runs `run.py` with the answers of a device. Returns the exit code, stderr, and the rows of the results.
    fn run(&self, answers: &Path, more: &[&str]) -> (Option<i32>, String, Vec<plumbline_conformance::CaseResult>) {
        let out = self.dir.path().join("results");
        let _ = std::fs::remove_dir_all(&out);
        let more = [&["--out", out.to_str().unwrap()], more].concat();
        let dxdispatch = replayed(&self.python, &self.replay, answers);
        let (code, _, stderr) = run_py(&self.python, &self.folder(), &dxdispatch, &more);
        let rows = if out.join("results.jsonl").exists() { results(&out) } else { vec![] };
        (code, stderr, rows)
    }

    fn meta(&self) -> serde_json::Value {
        serde_json::from_slice(&std::fs::read(self.dir.path().join("results/run.json")).unwrap()).unwrap()
    }
}

#[test]
fn errors_have_names_and_exit_codes_and_keep_what_ran() {
    let Some(python) = python() else { return };
    let content = Content::new(python);
    let right = content.answers("right", &DEVICES[0]);
    let (code, stderr, rows) = content.run(&right, &["--op", "ELEMENT_WISE_MIN"]);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    let named = |row: &plumbline_conformance::CaseResult| row.op.contains("ELEMENT_WISE_MIN");
    assert!(rows.len() > 5 && rows.iter().all(named), "{}", rows.len());
    assert_eq!(
        rows[0].backend,
        "dxdispatch Recorded adapter, driver 31.0.15, DirectML NuGet (Microsoft.AI.DirectML.1.15.4)"
    );
    assert_eq!(content.meta()["backends"][0]["name"], "dxdispatch");
    let (_, _, some) = content.run(&right, &["--level", "3.0", "--type", "float32", "--limit", "4"]);
    assert!(!some.is_empty() && some.len() <= 4, "{}", some.len());

    let (code, stderr, rows) = content.run(&right, &["--adapter", "Radeon"]);
    assert_eq!((code, rows.len()), (Some(3), 0));
    assert!(stderr.contains("`Radeon`") && stderr.contains("Recorded adapter, Other adapter"), "{stderr}");
    let (code, stderr, _) = content.run(&right, &["--adapter", "Other"]);
    assert!(code == Some(3) && stderr.contains("runs on Recorded adapter, and not on Other adapter"), "{stderr}");
    assert_eq!(content.run(&right, &["--op", "NONE"]).0, Some(4));
    assert_eq!(content.run(&right, &["--level", "new"]).0, Some(2));
    let nothing = [Path::new("/no/such/dxdispatch")];
    let (code, _, stderr) = run_py(&content.python, &content.folder(), &nothing, &[]);
    assert!(code == Some(3) && stderr.contains("DxDispatch does not start"), "{stderr}");

    let removed = Wrong("removed", Fault::Refuses(|| Refusal::device_lost("it hung")));
    let (code, stderr, rows) = content.run(&content.answers("removed", &removed), &["--jobs", "1"]);
    assert!(code == Some(3) && stderr.contains("the device was removed and does not come back"), "{stderr}");
    assert_eq!(rows.iter().map(|row| row.verdict).collect::<Vec<_>>(), [Verdict::DeviceLost; 3]);
    assert!(content.meta()["incomplete"].as_str().unwrap().contains("was removed"), "{}", content.meta());
}

#[test]
fn results_before_the_loss_of_a_device_are_kept() {
    let Some(python) = python() else { return };
    let content = Content::new(python);
    let answers = content.answers("right", &DEVICES[0]);
    let cases = |from: usize| {
        let lines = std::fs::read_to_string(content.folder().join("manifest/1-of-1.jsonl")).unwrap();
        let folders = lines.lines().skip(from).map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            line["path"].as_str().unwrap().strip_prefix("models/").unwrap().to_owned()
        });
        folders.collect::<Vec<String>>()
    };
    // A device that comes back after one case does not end the run, and one that does not come back does.
    let lose = |folder: &String| {
        for run in models(&content.folder()).into_iter().filter(|run| run.starts_with(folder)) {
            std::fs::write(answers.join(run).join("error.txt"), "0x887A0005: removed").unwrap();
        }
    };
    lose(&cases(2)[0]);
    cases(6).iter().for_each(lose);
    for jobs in ["1", "3"] {
        let (code, stderr, rows) = content.run(&answers, &["--jobs", jobs]);
        assert!(code == Some(3) && stderr.contains("the device was removed and does not come back"), "{stderr}");
        assert!(stderr.contains(&format!("9 of {} cases ran", cases(0).len())), "{stderr}");
        let lost = |row: &plumbline_conformance::CaseResult| row.verdict == Verdict::DeviceLost;
        let places: Vec<usize> = (0..rows.len()).filter(|&at| lost(&rows[at])).collect();
        assert_eq!((rows.len(), places), (9, vec![2, 6, 7, 8]), "with {jobs} jobs");
        assert!(rows.iter().filter(|row| !lost(row)).all(|row| row.verdict == Verdict::Pass), "with {jobs} jobs");
    }
}

#[test]
fn known_failures_hold_for_an_adapter_and_its_driver() {
    let Some(python) = python() else { return };
    let has_toml = std::process::Command::new(&python).args(["-c", "import tomllib"]).output();
    if !has_toml.is_ok_and(|done| done.status.success()) {
        println!("SKIPPED: this Python has no tomllib");
        return;
    }
    let content = Content::new(python);
    let swapped = DEVICES.iter().find(|device| !is_right(device)).unwrap();
    let wrong = content.answers("wrong", swapped);
    let path = content.dir.path().join("known.toml");
    let run = |device: &str| {
        let entry = "op = \"*\"\nverdict = \"fail\"\nblame = \"backend\"\nreason = \"it does that\"\n";
        std::fs::write(&path, format!("backend = \"dxdispatch\"\n\n[[expect]]\n{device}\n{entry}")).unwrap();
        content.run(&wrong, &["--op", "ELEMENT_WISE_MIN", "--expectations", path.to_str().unwrap()])
    };
    assert_eq!(content.run(&wrong, &["--op", "ELEMENT_WISE_MIN"]).0, Some(1));
    let (code, stderr, rows) = run("adapter = \"^Recorded\"\ndriver = \"31.0.9..=31.0.15\"");
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    let failed = || rows.iter().filter(|row| row.verdict == Verdict::Fail);
    assert!(failed().count() > 0);
    assert!(failed().all(|row| row.expected_verdict == Some(Verdict::Fail) && row.known.is_some()));
    assert_eq!(rows[0].adapter.as_deref(), Some("Recorded adapter"));
    assert_eq!(rows[0].driver.as_deref(), Some("31.0.15"));
    for other in ["adapter = \"^Other\"", "driver = \"..=31.0.14\"", "driver = \"31.0.15.1..\""] {
        let (code, _, rows) = run(other);
        assert_eq!(code, Some(1), "{other}");
        assert!(rows.iter().all(|row| row.expected_verdict.is_none()), "{other}");
    }
    for (bad, said) in
        [("driver = \"new\"", "`new` is not a range"), ("adapter = \"(\"", "`adapter`"), ("card = 1", "`card`")]
    {
        let (code, stderr, rows) = run(bad);
        assert_eq!((code, rows.len()), (Some(2), 0), "{bad}");
        assert!(stderr.contains("known.toml: line 3: ") && stderr.contains(said), "{stderr}");
    }
}

#[test]
fn content_that_is_not_whole_is_refused() {
    let Some(python) = python() else { return };
    let content = Content::new(python);
    let right = content.answers("right", &DEVICES[0]);
    assert_eq!(content.run(&right, &["--check"]).0, Some(0));
    let lines = std::fs::read_to_string(content.folder().join("manifest/1-of-1.jsonl")).unwrap();
    let third: serde_json::Value = serde_json::from_str(lines.lines().nth(2).unwrap()).unwrap();
    assert_eq!(third["suite"], SUITE);
    let folder = content.folder().join(third["path"].as_str().unwrap());
    let name = third["files"].as_object().unwrap().keys().find(|name| name.ends_with(".npy")).unwrap();
    let bytes = std::fs::read(folder.join(name)).unwrap();
    std::fs::remove_file(folder.join(name)).unwrap();
    let (code, stderr, rows) = content.run(&right, &[]);
    assert_eq!((code, rows.len()), (Some(2), 2), "{stderr}");
    assert!(stderr.contains(name.rsplit('/').next().unwrap()) && stderr.contains("is missing"), "{stderr}");
    assert_eq!(content.run(&right, &["--check"]).0, Some(2));
    std::fs::write(folder.join(name), [&bytes[..], &[0]].concat()).unwrap();
    assert!(content.run(&right, &[]).1.contains("has another hash"));
    std::fs::write(folder.join(name), bytes).unwrap();
    let manifest = content.folder().join("manifest/1-of-1.json");
    let head = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, head.replace("\"format\": 1", "\"format\": 9")).unwrap();
    let (code, stderr, _) = content.run(&right, &[]);
    assert!(code == Some(2) && stderr.contains("has the format 9; this judge reads format 1"), "{stderr}");
    std::fs::write(&manifest, head.replace("\"shard\": [\n    1,\n    1\n  ]", "\"shard\": [1, 2]")).unwrap();
    let (code, stderr, _) = content.run(&right, &["--limit", "3"]);
    assert!(code == Some(2) && stderr.contains("has 1 of 2 parts, missing: 2; --incomplete"), "{stderr}");
    let (code, _, rows) = content.run(&right, &["--limit", "3", "--incomplete"]);
    assert_eq!((code, rows.len()), (Some(0), 3));
    std::fs::write(&manifest, head).unwrap();
    let judge = content.folder().join("judge.py");
    let text = std::fs::read_to_string(&judge).unwrap();
    std::fs::write(&judge, format!("{text}\n")).unwrap();
    assert!(content.run(&right, &[]).1.contains("judge.py has another hash"));
}
