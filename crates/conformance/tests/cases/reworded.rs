//! Checks that nothing depends on the words of rules: with other words, every case has the same twin and the same
//! expected outcome. The specifications of a process are fixed, so each wording has a process of its own.

use std::path::Path;
use std::process::Command;

use plumbline_backend::Observation;
use plumbline_conformance::twin::Twin;
use plumbline_conformance::{judge, right};
use plumbline_generator::{Case, cells};
use plumbline_graph::Refusal;
use plumbline_oracle::Oracle;
use plumbline_spec::Spec;
use rayon::prelude::*;

/// If this is set, the test is a process of its own, which writes what it finds to the file of this name.
const OUT: &str = "PLUMBLINE_REWORDED_OUT";

/// If this is set, the process reads rules in other words.
const REWORDED: &str = "PLUMBLINE_REWORDED";

/// Every cell at a multiple of this number is checked.
const STEP: usize = 5;

/// Copies the specifications to a folder, with the words of each text of a rule in reverse order.
fn reworded(to: &Path) -> Spec {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs/onnx");
    for domain in std::fs::read_dir(&from).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()) {
        let folder = to.join(domain.file_name().unwrap());
        std::fs::create_dir_all(&folder).unwrap();
        for file in std::fs::read_dir(&domain).unwrap().map(|entry| entry.unwrap().path()) {
            let mut text = std::fs::read_to_string(&file).unwrap();
            if file.extension().is_some_and(|extension| extension == "toml") {
                let mut rules: toml::Table = text.parse().unwrap();
                for (_, entries) in &mut rules {
                    let entries = entries.as_array_mut().into_iter().flatten();
                    for entry in entries.filter_map(|entry| entry.get_mut("text")) {
                        let words: Vec<&str> = entry.as_str().unwrap().split_whitespace().rev().collect();
                        *entry = words.join(" ").into();
                    }
                }
                text = rules.to_string();
            }
            std::fs::write(folder.join(file.file_name().unwrap()), text).unwrap();
        }
    }
    Spec::load(to).unwrap()
}

/// Returns a line for a case: its twin, and the verdict on a backend that refuses it.
fn line(case: Case) -> String {
    let (reference, names) = (Oracle::default(), case.model.output_names());
    let refused = Observation::Refused { refusal: Refusal::failed("no"), seconds: 0.0 };
    let judged = right(&reference, &case).map(|right| {
        let judgement = judge(&right, &names, &refused);
        (judgement.verdict, judgement.class)
    });
    let twin = Twin::find(&case).map(|twin| twin.id);
    format!("{}: {judged:?}, {twin:?}\n", case.id)
}

#[test]
fn other_words_of_rules_change_nothing() {
    if let Some(out) = std::env::var_os(OUT) {
        if let Some(folder) = std::env::var_os(REWORDED) {
            assert!(Spec::replace_embedded(reworded(Path::new(&folder))));
        }
        let cells: Vec<_> = cells().into_iter().step_by(STEP).collect();
        let of_cell = |cell: &plumbline_generator::Cell| -> String {
            let negatives = cell.negatives().into_iter().map(Some);
            let cases = negatives.chain([None]).filter_map(|label| cell.case(label, 0, 0));
            cases.map(line).collect()
        };
        let lines: Vec<String> = cells.par_iter().map(of_cell).collect();
        std::fs::write(out, lines.concat()).unwrap();
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reworded");
    std::fs::create_dir_all(&folder).unwrap();
    let found = ["as they are", "reworded"].map(|wording| {
        let out = folder.join(format!("{wording}.txt"));
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["other_words_of_rules_change_nothing", "--nocapture"]).env(OUT, &out);
        if wording == "reworded" {
            command.env(REWORDED, folder.join("specs"));
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        std::fs::read_to_string(out).unwrap()
    });
    assert!(found[0].lines().count() > 3000, "{} cases were compared", found[0].lines().count());
    let differs = found[0].lines().zip(found[1].lines()).find(|(one, other)| one != other);
    assert_eq!(differs, None);
    assert_eq!(found[0].len(), found[1].len());
}
