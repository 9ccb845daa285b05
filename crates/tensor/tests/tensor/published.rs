//! Compares our text syntax with the onnx package in both directions, on ONNX's published models and on the texts of
//! `data/syntax`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use plumbline_tensor::Model;
use plumbline_tensor::onnx::ModelProto;
use prost::Message;

/// The comparison of one model: what onnx.parser makes of our text, and what we make of the text of onnx.printer.
/// `Ok(())` and `Ok(Some(()))` mean that the models are equal. `Ok(None)` means that onnx.printer prints no text, or a
/// text that neither onnx.parser nor we can read.
#[derive(Debug)]
struct Comparison {
    ours: Result<(), String>,
    theirs: Result<Option<()>, String>,
}

/// Compares models with the help of `scripts/compare_syntax.py`. Returns `None` if `PLUMBLINE_PYTHON` is not set.
fn compare(models: &[Model]) -> Option<Vec<Comparison>> {
    let Some(python) = std::env::var_os("PLUMBLINE_PYTHON") else {
        eprintln!(
            "SKIPPED: PLUMBLINE_PYTHON is not set; `cargo xtask test` sets it to a Python that has the onnx package"
        );
        return None;
    };
    let folder = tempfile::tempdir().unwrap();
    let path = |at: usize, extension: &str| folder.path().join(format!("{at}.{extension}"));
    for (at, model) in models.iter().enumerate() {
        std::fs::write(path(at, "onnx"), model.to_bytes()).unwrap();
        std::fs::write(path(at, "txt"), model.to_string()).unwrap();
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/compare_syntax.py");
    let output = Command::new(python).arg(script).arg(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).unwrap();
    let differences: BTreeMap<&str, &str> = printed.lines().filter_map(|line| line.split_once('\t')).collect();
    let compared = (0..models.len()).map(|at| Comparison {
        ours: differences.get(&*at.to_string()).map_or(Ok(()), |difference| Err((*difference).to_owned())),
        theirs: read_printed(&path(at, "printed"), &path(at, "parsed")),
    });
    Some(compared.collect())
}

/// Reads a text that onnx.printer printed, and compares our model with the model that onnx.parser read from the text.
fn read_printed(printed: &Path, parsed: &Path) -> Result<Option<()>, String> {
    let Ok(text) = std::fs::read_to_string(printed) else { return Ok(None) };
    match (text.parse::<ModelProto>(), std::fs::read(parsed)) {
        (Err(_), Err(_)) => Ok(None),
        (Ok(_), Err(_)) => Err(format!("we read a text that onnx.parser refuses\n{text}")),
        (Err(error), Ok(_)) => Err(format!("{error}, but onnx.parser reads\n{text}")),
        (Ok(ours), Ok(theirs)) => {
            let theirs = ModelProto::decode(&theirs[..]).unwrap();
            let equal = ours.encode_to_vec() == theirs.encode_to_vec();
            if equal { Ok(Some(())) } else { Err(format!("we read\n{ours}onnx.parser reads\n{theirs}from\n{text}")) }
        }
    }
}

fn models_below(folder: &Path, models: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            models_below(&path, models);
        } else if path.extension().is_some_and(|extension| extension == "onnx") {
            models.push(path);
        }
    }
}

#[test]
fn published_models_agree_with_onnx() {
    let Some(suites) = std::env::var_os("PLUMBLINE_SUITES") else {
        eprintln!("SKIPPED: PLUMBLINE_SUITES does not name a folder of suites; `cargo xtask test` sets it");
        return;
    };
    let mut paths = Vec::new();
    models_below(Path::new(&suites), &mut paths);
    paths.sort();
    assert!(paths.len() > 1000, "{} models", paths.len());
    // A suite may have models that are broken on purpose.
    let read = |path: PathBuf| Some((Model::from_bytes(&std::fs::read(&path).unwrap()).ok()?, path));
    let (models, paths): (Vec<Model>, Vec<PathBuf>) = paths.into_iter().filter_map(read).unzip();
    let Some(compared) = compare(&models) else { return };
    let count = |wanted: fn(&Comparison) -> bool| compared.iter().filter(|c| wanted(c)).count();
    println!(
        "{} models: onnx.parser reads {} of our texts as the same model; we read {} texts of onnx.printer as \
         onnx.parser does, and {} are missing or read by neither",
        models.len(),
        count(|c| c.ours.is_ok()),
        count(|c| matches!(c.theirs, Ok(Some(())))),
        count(|c| matches!(c.theirs, Ok(None))),
    );
    for (path, comparison) in paths.iter().zip(&compared) {
        assert!(comparison.ours.is_ok() && comparison.theirs.is_ok(), "{}: {comparison:?}", path.display());
    }
}

#[test]
fn texts_with_every_construct_agree_with_onnx() {
    let texts = [
        ("values", include_str!("../data/syntax/values.txt")),
        ("types", include_str!("../data/syntax/types.txt")),
        ("functions", include_str!("../data/syntax/functions.txt")),
        ("nameless", include_str!("../data/syntax/nameless.txt")),
        ("attributes", include_str!("../data/syntax/attributes.txt")),
        ("extensions", include_str!("../data/syntax/extensions.txt")),
    ];
    let models = texts.map(|(_, text)| text.parse::<Model>().unwrap());
    let Some(compared) = compare(&models) else { return };
    for ((name, _), Comparison { ours, theirs }) in texts.iter().zip(compared) {
        match *name {
            // onnx.parser drops lists of tensors.
            "attributes" => {
                assert_eq!(ours.unwrap_err(), "our text differs: .graph.node.attribute.tensors has 2 and 0 items")
            }
            "extensions" => assert!(ours.unwrap_err().starts_with("onnx.parser refuses our text")),
            _ => assert_eq!(ours, Ok(()), "{name}"),
        }
        // onnx.printer prints `...` for elements of int4, and loses functions' attributes with defaults.
        match *name {
            "types" | "nameless" => assert_eq!(theirs, Ok(Some(())), "{name}"),
            _ => assert_eq!(theirs, Ok(None), "{name}"),
        }
    }
}
