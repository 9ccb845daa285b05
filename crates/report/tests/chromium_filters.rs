//! Opens a small report, whose numbers are known, in a headless Chromium, and tests what the filter leaves of it.
//! Without a browser the tests are listed as ignored, or fail if `PLUMBLINE_REQUIRE_CHROMIUM` is 1.
#![allow(clippy::unwrap_used, reason = "tests")]

mod browser;
mod synthetic;

use browser::Tab;
use browser::frame::{self, Check, equal, holds};
use browser::report::{Report, matrix, names, owned, rows};
use libtest_mimic::Failed;
use plumbline_spec::{OperatorVersion, Spec};
use serde_json::json;
use synthetic::small;

fn main() {
    let checks: [(&str, Check<Report>); 3] = [
        ("each_filter_leaves_its_rows_and_counts", rows_that_stay),
        ("each_filter_leaves_its_failures_in_an_open_section", failures_that_stay),
        ("the_matrix_depends_on_the_filter_and_not_on_the_filters_before_it", order_of_filters),
    ];
    frame::run(|| Report::new(small::write), &checks)
}

/// Returns the name of the cause whose text contains `text`.
fn cause(tab: &mut Tab, text: &str) -> Result<String, Failed> {
    Ok(tab.text(&format!(
        "[...document.querySelectorAll('[name=cause] option')].find((o) => o.text.includes({})).value",
        json!(text)
    ))?)
}

fn rows_that_stay(report: &Report, tab: &mut Tab) -> Result<(), Failed> {
    tab.visit(&report.at(""))?;
    let rounds = format!("cause={}", cause(tab, small::REASON)?);
    let checks: [(&str, &[&str]); 15] = [
        ("version=8", &["Min | 1 f | 0 h1 | float †1 f | float16 ✓ p"]),
        ("version=12", &["Max |  | 5 h4 | float ✓ p"]),
        ("dtype=int8", &["Max | 2 e | 7e4 h5 | int8 ✗2 e"]),
        (
            "backend=onnxruntime",
            &[
                "Max |  | 64 h4 | float ✓ p | int32 ≈2 l",
                "Min | 1 e | 4 h3 | double ✗1 e | float ✓ p | float16 ✓ p",
                "Relu |  | 1 h2 | double ✓ p | float ✓ p",
                "ai.onnx.ml.Scaler | 1 f | 0 h1 | double ✓ p | float ◷1 f",
            ],
        ),
        (
            "rule=nan",
            &[
                "Max | 2 e | 7e4 h5 | int8 ✗2 e",
                "Min | 1 f | 3 h3 | float ✗1 f",
                "ai.onnx.ml.Scaler | 3 f | 7e4 h6 | int64 ✗3 f",
            ],
        ),
        ("rule=shapes-broadcast", &["Min | 1 e | h0 | double ✗1 e"]),
        ("rule=signed-zero", &["Max |  | 64 h4 | int32 ≈2 l"]),
        ("form=function", &["Min | 1 f | 3 h3 | float ✗1 f", "ai.onnx.ml.Scaler | 3 f | 7e4 h6 | int64 ✗3 f"]),
        ("form=initializers", &["Max | 2 e | 7e4 h5 | int8 ✗2 e", "Min | 1 e | h0 | double ✗1 e"]),
        (&rounds, &["Min | 1 e | h0 | double ✗1 e"]),
        ("form=function&version=13", &["Min | 1 f | 3 h3 | float ✗1 f"]),
        ("rule=nan&verdict=unexpected&q=min", &["Min | 1 f | 3 h3 | float ✗1 f"]),
        ("domain=ai.onnx.ml&backend=rten", &["ai.onnx.ml.Scaler | 3 f | 7e4 h6 | double ✓ p | int64 ✗3 f"]),
        ("backend=rten&verdict=not-run", &["Relu |  | h0 | float ∅ u | float16 ○ o"]),
        ("version=13&verdict=crash", &[]),
    ];
    for (filter, wanted) in checks {
        tab.visit(&report.at(&format!("#{filter}")))?;
        equal(filter, rows(tab)?, owned(wanted))?;
    }
    // These filters hide whole rows: the row of an operator stays if any of its results has the verdict. They do not
    // change the cells of a row.
    let operators: [(&str, &[&str]); 6] = [
        ("verdict=failing", &["Max", "Min", "Scaler"]),
        ("verdict=unexpected", &["Min", "Relu", "Scaler"]),
        ("verdict=timeout", &["Scaler"]),
        ("verdict=latitude", &["Max"]),
        ("verdict=unsupported", &["Relu"]),
        ("verdict=failing&domain=ai.onnx", &["Max", "Min"]),
    ];
    for (filter, wanted) in operators {
        tab.visit(&report.at(&format!("#{filter}")))?;
        equal(filter, names(tab)?, owned(wanted))?;
    }
    // Counts the operators that have no results and at least one version for which `has` is true.
    let never = |has: &dyn Fn(&OperatorVersion) -> bool| {
        let ran = ["Max", "Min", "Relu", "Scaler"];
        let others = Spec::embedded().operators().filter(|op| !ran.contains(&op.name.as_str()));
        others.filter(|op| op.versions.iter().any(has)).count()
    };
    for (filter, count) in [
        // A case of Relu-6 did not run.
        ("verdict=not-run", never(&|_| true) + 1),
        ("verdict=not-run&version=6", never(&|version| version.since() == 6) + 1),
        ("verdict=not-run&version=2", never(&|version| version.since() == 2)),
        ("verdict=not-run&backend=rten", 1),
    ] {
        tab.visit(&report.at(&format!("#{filter}")))?;
        equal(filter, names(tab)?.len(), count)?;
    }
    tab.visit(&report.at("#verdict=not-run&dtype=complex64"))?;
    let complex = names(tab)?;
    let holds_no_complex = |name: &String| name == "Floor" || name == "Max";
    holds("types of operators", complex.contains(&"Identity".to_owned()) && !complex.iter().any(holds_no_complex))?;
    let of_domain = Spec::embedded().operators().filter(|op| op.domain == "ai.onnx.ml").count();
    tab.visit(&report.at("#domain=ai.onnx.ml"))?;
    equal("operators of a domain", names(tab)?.len(), of_domain)?;
    let scaler = "ai.onnx.ml.Scaler | 4 f | 7e4 h6";
    holds(scaler, rows(tab)?.iter().any(|row| row.starts_with(scaler)))
}

/// Returns the signatures of the failures that the open section shows, and what the headings of this section say about
/// how many of its failures fit the filter.
fn failures(tab: &mut Tab) -> Result<(Vec<String>, Vec<String>), Failed> {
    let found = tab.shown("details.op[open] [data-g] .where")?;
    let signature = |text: &String| text.rsplit(" · ").next().unwrap_or_default().to_owned();
    Ok((found.iter().map(signature).collect(), tab.shown("details.op[open] .fits")?))
}

fn failures_that_stay(report: &Report, tab: &mut Tab) -> Result<(), Failed> {
    tab.visit(&report.at(""))?;
    let rounds = format!("op=Min&cause={}", cause(tab, small::REASON)?);
    let (value, shape, crash) = ("Min-wrong-value-aaaa0001", "Min-wrong-shape-aaaa0002", "Min-crash-aaaa0003");
    let checks: [(&str, &[&str], &[&str]); 14] = [
        ("op=Min", &[value, crash, shape], &[""]),
        ("op=Min&verdict=failing", &[value, crash, shape], &[""]),
        ("op=Min&verdict=unexpected", &[value, crash], &["2 of 3 fit the filter"]),
        ("op=Min&verdict=crash", &[crash], &["1 of 3 fit the filter"]),
        ("op=Min&version=8", &[crash], &["1 of 3 fit the filter"]),
        ("op=Min&version=13", &[value, shape], &["2 of 3 fit the filter"]),
        ("op=Min&dtype=double", &[shape], &["1 of 3 fit the filter"]),
        ("op=Min&backend=rten", &[value, crash], &["2 of 3 fit the filter"]),
        ("op=Min&rule=nan", &[value], &["1 of 3 fit the filter"]),
        ("op=Min&form=initializers", &[shape], &["1 of 3 fit the filter"]),
        (&rounds, &[shape], &["1 of 3 fit the filter"]),
        ("op=Max&verdict=latitude", &["signed-zero"], &["0 of 1 fit the filter", ""]),
        ("op=Max&rule=signed-zero", &["signed-zero"], &["0 of 1 fit the filter", ""]),
        ("op=Max&q=wrong-value", &["Max-wrong-value-aaaa0004", "signed-zero"], &["", ""]),
    ];
    for (filter, wanted, heads) in checks {
        tab.visit(&report.at(&format!("#{filter}")))?;
        let (found, said) = failures(tab)?;
        equal(filter, found, owned(wanted))?;
        equal(filter, said, owned(heads))?;
    }
    for (filter, wanted) in [("op=Min", json!(["13", "8"])), ("op=Min&version=8", json!(["8"]))] {
        tab.visit(&report.at(&format!("#{filter}")))?;
        let versions = "[...document.querySelectorAll('details.op[open] .results tbody')].filter((b) => b.checkVisibility()).map((b) => b.dataset.s)";
        equal(&format!("versions whose results {filter} leaves"), tab.value(versions)?, wanted)?;
    }
    // A section that is opened after the filter was set shows the same failures as one that was open before.
    tab.visit_anew(&report.at("#verdict=unexpected"))?;
    tab.click("#Min > summary")?;
    equal("a section that is opened by hand", failures(tab)?.0, vec![value.to_owned(), crash.to_owned()])
}

/// Sets several filters one after another, and compares the matrix with the matrix of a page that is opened with only
/// the last filter.
fn order_of_filters(report: &Report, tab: &mut Tab) -> Result<(), Failed> {
    let chains: [(&str, &[&[&str]]); 3] = [
        ("q=", &[&["version=8"], &["backend=rten", "rule=nan"], &["q=relu"]]),
        ("version=13", &[&["version=13&q=max"], &["version=13&verdict=crash"]]),
        ("verdict=failing", &[&["version=13&domain=ai.onnx.ml", "version=13&verdict=failing"]]),
    ];
    for (last, chains) in chains {
        tab.visit_anew(&report.at(&format!("#{last}")))?;
        let wanted = matrix(tab)?;
        for chain in chains {
            tab.visit("about:blank")?;
            for filter in chain.iter().chain([&last]) {
                tab.visit(&report.at(&format!("#{filter}")))?;
            }
            let found = matrix(tab)?;
            let differs = found.iter().zip(&wanted).find(|(one, other)| one != other);
            equal(&format!("{chain:?}, then {last}"), differs, None)?;
            equal(&format!("rows after {chain:?}, then {last}"), found.len(), wanted.len())?;
        }
    }
    Ok(())
}
