//! Tries to make sites of damaged, half-written and contradictory inputs. These inputs are refused, and all files stay
//! as they were.

use serde_json::Value;

use crate::runs::{Runs, facts, files, rows};

#[test]
fn inputs_that_are_not_whole_are_refused() {
    let runs = Runs::new();
    runs.write_three();
    let good = rows("1", &["pass"]);
    let with = |key: &str, value: Value| {
        let mut facts = facts("1");
        facts[key] = value;
        facts
    };
    std::fs::create_dir_all(runs.path("empty")).unwrap();
    runs.write("unfinished", &with("unfinished", true.into()), &good);
    runs.write("shard", &with("shard", "2/8".into()), &good);
    runs.write("undated", &with("started", Value::Null), &good);
    runs.write("unseeded", &with("seed", Value::Null), &good);
    runs.write("none", &facts("1"), &[]);
    runs.write("foreign", &facts("1"), &rows("2", &["pass"]));
    runs.write("twice", &facts("1"), &[good.clone(), good.clone()].concat());
    runs.write("cut", &facts("1"), &good);
    std::fs::write(runs.path("cut/results.jsonl"), &runs.text("one/results.jsonl")[..300]).unwrap();
    runs.write("no-results", &facts("1"), &good);
    std::fs::remove_file(runs.path("no-results/results.jsonl")).unwrap();
    runs.write("no-facts", &facts("1"), &good);
    std::fs::remove_file(runs.path("no-facts/run.json")).unwrap();
    runs.write("same", &facts("1"), &good);
    runs.build(&["one"], "good").unwrap();
    let before = files(&runs.path("good"));
    let mut errors = Vec::new();
    for inputs in [
        &["nowhere"][..],
        &["empty"],
        &["unfinished"],
        &["shard"],
        &["undated"],
        &["unseeded"],
        &["none"],
        &["foreign"],
        &["twice"],
        &["cut"],
        &["no-results"],
        &["no-facts"],
        &["one", "same"],
        &["good", "one"],
        &["one/run.json"],
    ] {
        errors.push(runs.build(inputs, "good").unwrap_err());
        assert_eq!(files(&runs.path("good")), before, "{inputs:?}");
        assert!(runs.build(inputs, "fresh").is_err() && !runs.path("fresh").exists(), "{inputs:?}");
    }
    insta::assert_snapshot!(errors.join("\n"));
    let hidden = std::fs::read_dir(runs.folder.path())
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with('.'));
    assert_eq!(hidden.count(), 0, "an unfinished site is left");
}

#[test]
fn damaged_history_files_are_refused() {
    use std::io::Read;
    let runs = Runs::new();
    runs.write_three();
    runs.build(&["one", "two"], "site").unwrap();
    let mut text = String::new();
    let bytes = std::fs::read(runs.path("site/data/mine.jsonl.gz")).unwrap();
    flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
    let mut errors = Vec::new();
    for (from, to) in [
        ("\"format\":1", "\"format\":2"),
        ("\"runs\":[0]", "\"runs\":[7]"),
        ("f0", "f9"),
        ("\"pass\":2", "\"pass\":3"),
        ("p f0 u p", "p f0 u 99999999p"),
        ("\"since\":13", "\"since\":-13"),
        ("\"verdict\":\"fail\"", "\"verdict\":\"pass\""),
        ("}\n", ""),
    ] {
        assert!(text.contains(from), "{from}\n{text}");
        std::fs::write(runs.path("damaged.jsonl"), text.replacen(from, to, 1)).unwrap();
        errors.push(runs.build(&["damaged.jsonl"], "out").unwrap_err());
    }
    // A short text that stands for 70 million cases, more than a history file may have.
    let many: Vec<String> = (0..700).map(|at| format!("\"t{at}#\":\"100000p\"")).collect();
    std::fs::write(runs.path("damaged.jsonl"), text.replacen("\"~/#@0\":\"p f0 u p\"", &many.join(","), 1)).unwrap();
    errors.push(runs.build(&["damaged.jsonl"], "out").unwrap_err());
    std::fs::write(runs.path("cut.jsonl.gz"), &bytes[..bytes.len() / 2]).unwrap();
    errors.push(runs.build(&["cut.jsonl.gz"], "out").unwrap_err());
    std::fs::write(runs.path("nothing.jsonl"), "").unwrap();
    errors.push(runs.build(&["nothing.jsonl"], "out").unwrap_err());
    insta::assert_snapshot!(errors.join("\n"));
    std::fs::write(runs.path("whole.jsonl"), &text).unwrap();
    runs.build(&["whole.jsonl"], "out").unwrap();
    assert_eq!(files(&runs.path("out")), files(&runs.path("site")));
}

#[test]
fn a_folder_with_something_else_is_not_replaced() {
    let runs = Runs::new();
    runs.write_three();
    for (name, contents) in [("photo.jpg", "x"), ("site.json", "{}"), ("site.json", "not JSON")] {
        std::fs::create_dir_all(runs.path("mine")).unwrap();
        std::fs::write(runs.path("mine").join(name), contents).unwrap();
        let error = runs.build(&["one"], "mine").unwrap_err();
        assert!(error.starts_with("[folder]/mine: this is not a site"), "{error}");
        assert_eq!(std::fs::read_to_string(runs.path("mine").join(name)).unwrap(), contents);
        std::fs::remove_dir_all(runs.path("mine")).unwrap();
    }
    std::fs::create_dir_all(runs.path("bare")).unwrap();
    runs.build(&["one"], "bare").unwrap();
    runs.build(&["one"], "new/folder/site").unwrap();
    assert_eq!(files(&runs.path("bare")), files(&runs.path("new/folder/site")));
}
