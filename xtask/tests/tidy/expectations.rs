//! Known verdicts of backends are narrow: an entry that matches every wrong answer of an operator hides the next error.

use toml::Value;

use super::{files, has_extension, none, root, short, text};

/// Words that occur in patterns but do not distinguish one difference from another.
const BARE: [&str; 8] =
    ["output", "has shape", "is expected", "is accepted", "elements", "expected", "violates", "kept"];

/// Returns whether the pattern says more than which output is wrong.
fn tells(pattern: &str) -> bool {
    // Names of outputs are between backticks.
    let mut rest: String = pattern.split('`').step_by(2).collect();
    for bare in BARE {
        rest = rest.replace(bare, "");
    }
    rest.chars().any(char::is_alphanumeric)
}

fn list<'v>(entry: &'v Value, key: &str) -> Vec<&'v str> {
    match entry.get(key) {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => vec![],
    }
}

/// Returns whether an entry says under which circumstances the operator fails, or how: by its case, features, types, a
/// distance, a pattern, a pass of the optimizer, or the version of each operator. For invalid models that a backend accepts, only the case and
/// the pattern count.
fn is_narrow(entry: &Value) -> bool {
    let some = |key: &str| !list(entry, key).is_empty();
    let versioned = |name: &&str| name.rsplit_once('-').is_some_and(|(_, since)| since.parse::<u32>().is_ok());
    let names = list(entry, "op");
    let tells = list(entry, "detail").iter().any(|pattern| tells(pattern));
    if list(entry, "kind") == ["accepts-invalid"] {
        return some("case") || tells;
    }
    some("case")
        || some("features")
        || some("types")
        || some("pass")
        || entry.get("max_ulp").is_some()
        || tells
        || !names.is_empty() && names.iter().all(versioned)
}

#[test]
fn every_expectation_is_narrow() {
    let mut problems = Vec::new();
    for path in files(&root().join("reports/expectations")).iter().filter(|path| has_extension(path, "toml")) {
        let table: toml::Table = toml::from_str(&text(path)).unwrap();
        let entries = table.get("expect").and_then(Value::as_array).cloned().unwrap_or_default();
        assert!(!entries.is_empty(), "{} has no entries", short(path));
        for entry in entries.iter().filter(|entry| !is_narrow(entry)) {
            let reason = entry.get("reason").and_then(Value::as_str).unwrap_or("");
            problems.push(format!("{}: {}: {reason}", short(path), list(entry, "op").join(", ")));
        }
    }
    none(
        problems,
        "An expectation says when or how an operator fails: by `case`, `features`, `types`, `max_ulp`, `pass`, a `detail` beyond the output's name, or the versions in `op` (accepts-invalid: by `case` or `detail`).",
    );
}

#[test]
fn broad_expectations_are_found() {
    let narrow = |text: &str| is_narrow(&Value::Table(toml::from_str(text).unwrap()));
    assert!(!narrow("op = \"Attention\"\nkind = \"wrong-value\"\ndetail = 'output `Y`'"));
    assert!(!narrow(
        "op = [\"LRN\", \"Conv-1\"]\nkind = \"wrong-value\"\nversions = [\"1.31.1\"]\ndetail = 'is expected|is accepted'"
    ));
    assert!(!narrow("op = \"Clip-6\"\nsuite = \"negative\"\nkind = \"accepts-invalid\""));
    assert!(narrow("op = \"Clip\"\nkind = \"accepts-invalid\"\ndetail = 'violates bounds-are-scalars$'"));
    assert!(narrow("op = \"LRN\"\nkind = \"wrong-value\"\nfeatures = [\"an even size\"]"));
    assert!(narrow("op = \"Pow\"\ntypes = [\"int64\"]") && narrow("op = \"Acos\"\nmax_ulp = 8.0"));
    assert!(narrow("op = \"graph\"\npass = \"ReshapeFusion\""));
    assert!(narrow("op = [\"RNN-14\", \"RNN-22\"]") && narrow("op = \"Pad\"\ndetail = 'is 0\\.0 '"));
}
