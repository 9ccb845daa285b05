//! Tests that the files of operators and lowerings have the canonical form, and that the loader reports errors with
//! file and line.

use super::{directml, folder};
use plumbline_spec::directml::DirectMl;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns a copy of `specs/directml` for this test alone.
fn copy(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("directml-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&dir);
    fn all(from: &Path, to: &Path) {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let path = entry.unwrap().path();
            let to = to.join(path.file_name().unwrap());
            if path.is_dir() { all(&path, &to) } else { _ = fs::copy(&path, &to).unwrap() }
        }
    }
    all(&folder(), &dir);
    dir
}

#[test]
fn the_folder_and_the_embedded_facts_are_the_same() {
    assert_eq!(&DirectMl::load(&folder()).unwrap(), directml());
}

#[test]
fn files_of_operators_and_lowerings_have_the_canonical_form() {
    for operator in directml().operators() {
        let path = folder().join(format!("{}.json", operator.name));
        assert_eq!(operator.to_json(), fs::read_to_string(path).unwrap(), "{}", operator.name);
    }
    for lowering in directml().lowerings() {
        let path = folder().join(format!("lowering/{}/{}.json", lowering.domain, lowering.name));
        assert_eq!(lowering.to_json(), fs::read_to_string(path).unwrap(), "{}", lowering.name);
    }
}

#[test]
fn errors_name_file_and_line() {
    let dir = copy("wrong");
    let min = "DML_OPERATOR_ELEMENT_WISE_MIN.json";
    let cases = [
        (min, "\"in_place\": true", "\"colour\": 1", "DML_OPERATOR_ELEMENT_WISE_MIN.json:11: unknown field `colour`"),
        (min, "\"kind\": \"input_tensor\"", "\"kind\": \"input\"", ":7: unknown variant `input`"),
        (min, "\"name\": \"BTensor\"", "\"name\": \"ATensor\"", ":7: a second field `ATensor`"),
        (min, "ELEMENT_WISE_MIN\",", "ELEMENT_WISE_MAX\",", ":2: describes DML_OPERATOR_ELEMENT_WISE_MAX"),
        (
            "DML_OPERATOR_ELEMENT_WISE_MULTIPLY.json",
            "\"value\": 24",
            "\"value\": 23",
            ":3: a second operator with the number 23",
        ),
        (min, "\"introduced\": \"1_0\"", "\"introduced\": \"1_1\"", ":4: `1_1` is not a feature level"),
        (min, "\"ATensor\", \"BTensor\"", "\"ATensor\", \"CTensor\"", ":13: a constraint names `CTensor`"),
        (min, "\"Sizes\"", "\"Size\"", ":14: unknown variant `Size`"),
        (min, "\"5_0\"", "\"2_0\"", ":16: support blocks must be ordered newest first"),
        (min, "\"max\": 8", "\"max\": 9", "1 to 9 dimensions, expected"),
        (min, "\"FLOAT16\", \"INT64\"", "\"FLOAT16\", \"FLOAT16\"", "each type once"),
        (min, "\"FLOAT16\", \"INT64\"", "\"FLOAT16\", \"INT128\"", ":22: `INT128` is not a tensor data type"),
        ("DML_OPERATOR_GEMM.json", "DML_MATRIX_TRANSFORM", "DML_MATRIX", "there is no enumeration `DML_MATRIX`"),
        ("DML_OPERATOR_REDUCE.json", "REDUCE_FUNCTION_L2", "REDUCE_FUNCTION_L3", "is not a value of a field"),
        ("DML_OPERATOR_CAST.json", "  \"fields\"", "  \"field\"", ":6: unknown field `field`"),
        ("types.json", "\"value\": 8448", "\"value\": 8449", "types.json:7: differs from the feature levels"),
        ("types.json", "\"bits\": 16", "\"bits\": 8", "differs from the element types"),
        ("types.json", "DML_OPERATOR_ACTIVATION_RELU", "DML_OPERATOR_ACTIVATION_RELUX", "is not an operator"),
        ("lowering/ai.onnx/Min.json", "ELEMENT_WISE_MIN\"", "ELEMENT_WISE_MINI\"", "is not an operator"),
        ("lowering/ai.onnx/Min.json", "\"since_version\": 6", "\"since_version\": 9", "ascending versions and opsets"),
        ("lowering/ai.onnx/Min.json", "\"kernel\"", "\"kernels\"", "Min.json:15: unknown field `kernels`"),
        ("lowering/ai.onnx/Min.json", "\"ATensor\"", "\"XTensor\"", "`XTensor` is not a tensor of the `dml_operators`"),
        ("lowering/ai.onnx/ReduceSum.json", "FUNCTION_SUM\"", "FUNCTION_ADD\"", "has no table"),
        ("lowering/provider.json", "\"5_0\"", "5", "provider.json:3: invalid type"),
    ];
    let rules = "DML_OPERATOR_ELEMENT_WISE_MIN.rules.toml";
    let cases = cases.into_iter().chain([
        (rules, "subject = \"NaN\"", "colour = \"NaN\"", ".rules.toml:17: unknown field `colour`"),
        (rules, "name = \"nan\"", "name = \"signed-zero\"", "a second `signed-zero` for the same version"),
        (rules, "status = \"defined\"", "status = \"decided\"", "unknown variant `decided`"),
    ]);
    let meanings = "meanings.toml";
    let cases = cases.chain([
        (
            meanings,
            "{op} (ATensor, BTensor)",
            "{op} (ATensor, CTensor)",
            "`CTensor` is neither a field nor computed before",
        ),
        (meanings, "\"OutputTensor = Max (InputTensor, Min)\"", "\"OutputTensor = Max InputTensor\"", "meanings.toml:"),
        (meanings, "{Alpha}", "{Alfa}", "`{Alfa}` stands for nothing here"),
        (meanings, "\"OutputTensor = Concat", "\"Joined = Concat", "no statement computes OutputTensor of JOIN"),
        (
            meanings,
            "DML_ROUNDING_MODE_TOWARD_ZERO",
            "DML_ROUNDING_MODE_UP",
            "`RoundingMode` has no value `DML_ROUNDING_MODE_UP`",
        ),
        (meanings, "\"use quantize\"", "\"use quantization\"", "`[steps]` has no `quantization`"),
        (meanings, "{ AZeroPointTensor = 0", "{ ATensor = 0", "`ATensor` is not an optional input"),
        (meanings, "operators = [\"TILE\"]", "operators = [\"TILES\"]", "`TILES` is not an operator"),
        (
            meanings,
            "[\"RANDOM_GENERATOR\"]",
            "[]",
            "`RANDOM_GENERATOR` has neither a meaning nor an entry in `pending`",
        ),
        (
            meanings,
            "[\"RANDOM_GENERATOR\"]",
            "[\"RANDOM_GENERATOR\", \"TILE\"]",
            "`TILE` has a meaning, so it is not pending",
        ),
        (
            meanings,
            "if UseClipThreshold is true",
            "if UseClipThreshold is set",
            "`UseClipThreshold` has no value `set`",
        ),
        (meanings, "\"use windows\"", "\"use window\"", "`[steps]` has no `window`"),
        (meanings, "CONVOLUTION: use turned_filter", "CONVOLUTION: use filter", "`[steps]` has no `filter`"),
        (meanings, "\"InputTensor = Add (scaled", "\"scaled = Add (scaled", "`scaled` is computed twice"),
        (meanings, "FeatureLevel = \"5_2\"", "FeatureLevel = \"5_9\"", "`5_9` is not a feature level"),
        (meanings, "[scale_bias]", "[scale_and_bias]", "unknown field `scale_and_bias`"),
    ]);
    let mut problems = Vec::new();
    for (file, from, to, message) in cases {
        let path = dir.join(file);
        let text = fs::read_to_string(&path).unwrap();
        let wrong = text.replacen(from, to, 1);
        assert_ne!(text, wrong, "{file}: {from}");
        fs::write(&path, wrong).unwrap();
        let found = DirectMl::load(&dir).map_or_else(|error| error.to_string(), |_| "loaded".to_owned());
        if !found.contains(message) || !found.contains(file) {
            problems.push(format!("{file}: {to}: {found}, and not {message}"));
        }
        fs::write(&path, text).unwrap();
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    DirectMl::load(&dir).unwrap();
    fs::write(dir.join("notes.txt"), "").unwrap();
    let found = DirectMl::load(&dir).unwrap_err().to_string();
    assert!(found.contains("notes.txt:1: expected a file of an operator"), "{found}");
    fs::remove_file(dir.join("notes.txt")).unwrap();
    fs::write(dir.join("DML_OPERATOR_NONE.rules.toml"), "").unwrap();
    let found = DirectMl::load(&dir).unwrap_err().to_string();
    assert!(found.contains("(DML_OPERATOR_NONE.json) are missing"), "{found}");
    fs::remove_file(dir.join("DML_OPERATOR_NONE.rules.toml")).unwrap();
    fs::remove_file(dir.join("types.json")).unwrap();
    assert!(DirectMl::load(&dir).unwrap_err().to_string().contains("types.json:1: is missing"));
    fs::remove_dir_all(&dir).unwrap();
}
