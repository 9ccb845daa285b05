//! Synthetic results, which no run produced: for most operators of the specification, three backends and all verdicts
//! but device-lost, with texts by which a backend could do harm. They are the same on every machine.
#![allow(dead_code, reason = "each test uses only a part")]

pub mod small;

use std::collections::BTreeMap;

use plumbline_conformance::{CaseResult, FailKind, Verdict};
use plumbline_report::{BackendMeta, BackendStatus, Coverage, CoverageItem, RunMeta};
use plumbline_spec::{OperatorVersion, Spec, TypeStr};

/// The backends that have results.
pub const BACKENDS: [&str; 3] = ["rten 0.27.0", "onnxruntime 1.31.1", "directml-software 0.1.0"];

/// Texts that would break a page, a table, a terminal or an XML file if they were inserted without escaping.
pub const HOSTILE: [&str; 9] = [
    "</script><img src=x onerror=alert(1)>",
    "</pre></td></table><h1>owned</h1><script>document.title='owned'</script>",
    "\" onmouseover=\"alert(1)\" x='",
    "'><svg/onload=alert(1)>",
    "\u{1b}[31mred\u{1b}[0m \u{0}\u{7}\u{8}\u{ffff}\u{85}",
    "\u{202e}gnp.exe\u{202c} \u{200b}\u{feff}",
    "{{ 7 * 7 }} {% raw %} {# comment #}",
    "]]> <![CDATA[ & &amp; &#0; | ` `` ``` **bold** [x](javascript:alert(1))",
    "../../../etc/passwd?a=b#c%2e%2e/",
];

/// A source of numbers that look random but are always the same for a seed (splitmix64).
pub struct Dice(u64);

impl Dice {
    pub fn seeded(seed: &str) -> Dice {
        Dice(
            seed.bytes().fold(0x9e37_79b9_7f4a_7c15, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)),
        )
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit
    }
}

/// Returns the facts of a run that never took place.
pub fn meta() -> RunMeta {
    let backend = |label: &str, notes: &[&str]| {
        let (name, version) = label.split_once(' ').unwrap();
        BackendMeta {
            name: name.to_owned(),
            version: Some(version.to_owned()),
            accuracy: Some("opencl-full".to_owned()),
            notes: notes.iter().map(|&note| note.to_owned()).collect(),
            ..BackendMeta::default()
        }
    };
    RunMeta {
        title: "Plumbline: ONNX operators, three runtimes".to_owned(),
        command: Some("cargo xtask conformance --profile ci --seed 20240611".to_owned()),
        shard: None,
        seed: Some("20240611".to_owned()),
        profile: Some("ci".to_owned()),
        started: Some("2024-06-11 04:00 UTC".to_owned()),
        project_version: Some("0.1.0".to_owned()),
        backends: vec![
            backend(BACKENDS[0], &[]),
            backend(BACKENDS[1], &["Exp, Log: 4 ulp in float16 instead of 2"]),
            backend(BACKENDS[2], &["feature level 6.4", "flushes subnormals"]),
            BackendMeta {
                name: "directml".to_owned(),
                version: None,
                selector: None,
                accuracy: None,
                notes: Vec::new(),
                status: BackendStatus::Absent,
                why: Some("DirectML is part of Windows, and this machine runs Linux".to_owned()),
            },
            BackendMeta {
                name: "process:./our-runtime".to_owned(),
                version: None,
                selector: None,
                accuracy: None,
                notes: Vec::new(),
                status: BackendStatus::CouldNotStart,
                why: Some("./our-runtime: no such file".to_owned()),
            },
        ],
        coverage: Some(Coverage {
            items: vec![
                CoverageItem { what: "cells".to_owned(), reached: 9_120, of: 9_981 },
                CoverageItem { what: "attributes, given and left out".to_owned(), reached: 1_702, of: 1_702 },
            ],
        }),
        incomplete: None,
        unfinished: false,
        limits: vec![
            "Nothing here ran on real DirectML hardware: directml-software is a device of our own, on the CPU."
                .to_owned(),
            "Subgraphs deeper than two levels were not tried.".to_owned(),
        ],
    }
}

/// Returns bindings of a version's type variables. A single variable is bound to each of its types. With two variables
/// of equally many types, type `i` of the first is paired with type `i + k` of the second, for up to 12 values of `k`.
/// Three or more variables are all bound to their type `i`. A shorter list of types is repeated.
fn bindings(version: &OperatorVersion) -> Vec<BTreeMap<String, String>> {
    let name = |type_: &TypeStr| match type_.tensor_dtype() {
        Some(dtype) => dtype.name().to_owned(),
        None => type_.to_string(),
    };
    let most = version.types.values().map(Vec::len).max().unwrap_or(1);
    let second = if version.types.len() == 2 { version.types.values().map(Vec::len).min().unwrap_or(1) } else { 1 };
    let mut out = Vec::new();
    for index in 0..most * second.min(12) {
        let mut types = BTreeMap::new();
        for (place, (variable, allowed)) in version.types.iter().enumerate() {
            let index = if place == 0 { index } else { index / most + index };
            types.insert(variable.clone(), name(&allowed[index % allowed.len()]));
        }
        if !out.contains(&types) {
            out.push(types);
        }
    }
    out
}

/// Calls `each` with every result.
pub fn results(spec: &Spec, mut each: impl FnMut(CaseResult)) {
    for (index, operator) in spec.operators().enumerate() {
        // Some operators have no results, as in many runs.
        if index % 19 == 18 {
            continue;
        }
        for version in &operator.versions {
            for types in bindings(version) {
                for backend in BACKENDS {
                    cell(&operator.domain, &operator.name, version.since, &types, backend, &mut each);
                }
            }
        }
    }
    for (index, text) in HOSTILE.into_iter().enumerate() {
        for backend in BACKENDS {
            let mut result = blank("ai.onnx", text, 1, &BTreeMap::from([(text.to_owned(), text.to_owned())]), backend);
            result.case = format!("{text}/{index}");
            result.suite = text.to_owned();
            result.verdict = Verdict::Fail;
            result.kind = Some(FailKind::WrongType);
            result.signature = Some(text.to_owned());
            result.detail = Some(format!("{text}\n{}", "long ".repeat(20_000)));
            each(result);
        }
    }
    let mut graph = blank("ai.onnx", "two_operators", 0, &BTreeMap::new(), BACKENDS[1]);
    graph.suite = "onnx:1.23.2".to_owned();
    each(graph);
}

fn blank(domain: &str, op: &str, since: u32, types: &BTreeMap<String, String>, backend: &str) -> CaseResult {
    CaseResult {
        case: String::new(),
        suite: "generated".to_owned(),
        domain: domain.to_owned(),
        op: op.to_owned(),
        since,
        types: types.clone(),
        backend: backend.to_owned(),
        verdict: Verdict::Pass,
        seconds: 0.000_2,
        seed: Some("20240611".to_owned()),
        ..CaseResult::default()
    }
}

fn cell(
    domain: &str,
    op: &str,
    since: u32,
    types: &BTreeMap<String, String>,
    backend: &str,
    each: &mut impl FnMut(CaseResult),
) {
    let text = plumbline_report::types_text(types);
    let mut character = Dice::seeded(&format!("{op} {backend}"));
    // Whether the backend fails or uses a latitude depends on the operator, not on its version or types.
    let failing = character.below(9) == 0;
    let latitude = character.below(11) == 0;
    let mut dice = Dice::seeded(&format!("{op}-{since} {text} {backend}"));
    let narrow = ["4", "8", "6", "int2", "complex"].iter().any(|part| text.contains(part)) && dice.below(2) == 0;
    let unsupported = narrow || (backend.starts_with("rten") && (domain != "ai.onnx" || character.below(4) == 0));
    let float = text.contains("float") || text.contains("double");
    for case in 0..4 + dice.below(9) {
        let mut result = blank(domain, op, since, types, backend);
        result.case = format!("{op}-{since}/{}/generated/{case:03}", text.replace(' ', ","));
        result.suite =
            ["generated", "generated", "negative", "onnx:1.23.2", "regressions"][dice.below(5) as usize].to_owned();
        if unsupported {
            result.verdict = Verdict::Unsupported;
            result.detail = Some(format!("no kernel for {}", text.split('=').nth(1).unwrap_or(op)));
        } else if failing && dice.below(3) == 0 {
            failure(&mut result, &mut dice);
        } else if latitude && dice.below(3) == 0 {
            result.verdict = Verdict::Latitude;
            result.detail = Some("nan: output Y [3]: the other operand, where NaN is allowed too".to_owned());
            result.rule = Some("nan".to_owned());
        } else if dice.below(400) == 0 {
            result.verdict = Verdict::NotRun;
            result.detail = Some("the time of the run was up".to_owned());
        } else if dice.below(900) == 0 {
            result.expected_verdict = Some(Verdict::Fail);
        }
        if float && !matches!(result.verdict, Verdict::Unsupported | Verdict::NotRun | Verdict::Crash) {
            result.max_ulp = Some(dice.below(40) as f64 / 10.0);
            result.width_ulp = Some(4.0 + dice.below(3) as f64);
        }
        each(result);
    }
}

fn failure(result: &mut CaseResult, dice: &mut Dice) {
    let kinds = [FailKind::WrongValue, FailKind::WrongShape, FailKind::RejectsValid, FailKind::AcceptsInvalid];
    let op = result.op.clone();
    match dice.below(12) {
        0 => {
            result.verdict = Verdict::Crash;
            result.signature = Some(format!("{op}-SIGFPE"));
            result.detail = Some("the worker ended by signal 8 (SIGFPE)".to_owned());
        }
        1 => {
            result.verdict = Verdict::Timeout;
            result.signature = Some(format!("{op}-timeout"));
            result.detail = Some("no answer within 10 s".to_owned());
        }
        _ => {
            let kind = kinds[dice.below(4) as usize];
            result.verdict = Verdict::Fail;
            result.kind = Some(kind);
            result.signature = Some(format!(
                "{op}-{}-{}",
                ["nan", "empty", "negative-axis", "ties"][dice.below(4) as usize],
                dice.below(3)
            ));
            result.max_ulp = Some([12.0, 8_388_608.0, f64::MAX][dice.below(3) as usize]);
            result.detail = Some(
                "output 0 `Y` [2, 3, 5], element [1, 2, 0]\n  backend  0x7e00  NaN\n  oracle   0x3c01  1.0009766, accepted [1.0, 1.0019531]\n3 of 30 elements differ".to_owned(),
            );
        }
    }
    if dice.below(3) == 0 {
        result.expected_verdict = Some(result.verdict);
    }
}

/// Returns the synthetic results as the lines of a results file.
pub fn jsonl(spec: &Spec) -> String {
    let mut out = String::new();
    results(spec, |result| {
        out.push_str(&serde_json::to_string(&result).unwrap());
        out.push('\n');
    });
    out
}
