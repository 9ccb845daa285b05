//! `plumbline tightness`: prints how wide the oracle's intervals are over a published suite.

use plumbline_conformance::suite::SuiteName;
use plumbline_spec::{Spec, Status};

use plumbline_conformance::{RELATIVE, Selection, is_elementwise, median, suite_cases, tightness, widest_rows};

use crate::exit::Exit;

/// The width in ULP that the median case of elementwise operators has to stay below. A case counts with the median of
/// its elements, because one case of `Mish` has more elements than all others together.
const MEDIAN_ULP: f64 = 4.0;

/// The number of cases of each cell that are drawn for the widest rows, and the number of these rows.
const DRAWN: u64 = 3;
const ROWS: usize = 10;

/// Prints the widths of the oracle's intervals by operator, and fails if those of elementwise operators are too wide.
#[derive(clap::Args)]
pub struct Args {
    /// The published suite
    #[arg(long, default_value = "onnx:1.23.2")]
    suite: SuiteName,
}

pub fn run(args: Args) -> anyhow::Result<Exit> {
    let (dir, _) = crate::suite::at_hand(&args.suite)?;
    let found = tightness(&suite_cases(&args.suite.to_string(), &dir)?)?;
    println!(
        "{:24} {:>9} {:>12} {:>12}  wider than 1e-3 of the answer",
        "operator", "elements", "median ULP", "widest ULP"
    );
    let (mut elementwise, mut cases) = (Vec::new(), Vec::new());
    for (operator, widths) in &found {
        let widest = widths.ulps.iter().copied().filter(|w| w.is_finite()).fold(0.0, f64::max);
        let wide = match widths.wide {
            0 => String::new(),
            n => format!("{n}, up to {:.1e} ({})", widths.widest, widths.widest_case),
        };
        println!("{operator:24} {:>9} {:>12.2} {widest:>12.1}  {wide}", widths.ulps.len(), widths.median_ulp());
        if is_elementwise(operator) {
            elementwise.extend(&widths.ulps);
            cases.extend(&widths.cases);
        }
    }
    let (count, all) = (cases.len(), elementwise.len());
    let by_case = median(cases);
    println!(
        "elementwise operators: {count} cases, the median case has {by_case:.2} ULP; {all} elements, median {:.2} ULP",
        median(elementwise)
    );
    let wide: u64 = found.values().map(|w| w.wide).sum();
    let names: Vec<&str> = found.iter().filter(|(_, w)| w.wide > 0).map(|(name, _)| name.as_str()).collect();
    println!(
        "wider than {RELATIVE:e} of the answer: {wide} elements of {}",
        if names.is_empty() { "no operator".to_owned() } else { names.join(", ") }
    );
    print_widest_rows();
    print_open_rules(Spec::embedded());
    Ok(if count > 0 && by_case < MEDIAN_ULP { Exit::Conforms } else { Exit::DoesNotConform })
}

/// Lists the operators and types with the widest intervals on generated cases, each with the step that makes them wide.
fn print_widest_rows() {
    println!(
        "widest by operator and type, on {DRAWN} generated cases of each cell (the width that one element in ten exceeds):"
    );
    println!("  {:32} {:10} {:>12}  {:10} case", "operator", "type", "ULP", "step");
    for row in widest_rows(&Selection::default().cells(), DRAWN, 0, ROWS) {
        println!("  {:32} {:10} {:>12.1}  {:10} {}", row.operator, row.dtype, row.ulps, row.step, row.case);
    }
}

/// Lists the behaviours of the newest texts that accept any value: where one of them applies, no error can be found.
fn print_open_rules(spec: &Spec) {
    let mut open = Vec::new();
    let mut undefined = 0;
    for operator in spec.operators() {
        let behaviours = operator.rules.iter().flat_map(|rules| &rules.behaviours);
        for behaviour in behaviours.filter(|behaviour| behaviour.releases.is_current()) {
            undefined += usize::from(behaviour.status != Status::Defined);
            if behaviour.lists_any_value() {
                let name = operator.qualified_name();
                open.push(format!("  {name} {} ({}, {})", behaviour.label, behaviour.versions, behaviour.subject));
            }
        }
    }
    println!("rules that the specification does not decide: {undefined}; {} of them accept any value:", open.len());
    open.iter().for_each(|line| println!("{line}"));
}
