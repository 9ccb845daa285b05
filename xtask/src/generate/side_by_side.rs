//! `docs/onnx-and-directml.md`: what ONNX and DirectML say of operators that share a name or a purpose, side by side.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::Context;
use plumbline_spec::Spec;
use plumbline_spec::directml::{Counterpart, DirectMl, RuleRow, Side};

use super::Generated;

const INTRODUCTION: &str = "\
# ONNX and DirectML, side by side

What ONNX and DirectML say of the same operator: the types that both take, and their rules. Rules of the same name are
about the same matter. `cargo xtask spec diff Min-13 DML_OPERATOR_ELEMENT_WISE_MIN` prints any other pair, with
`--format json` for programs. ONNX's rules are in `specs/onnx`, those of DirectML in `specs/directml`, where each has its
source. `cargo xtask spec show DML_OPERATOR_CONVOLUTION` prints those of an operator.

`cargo xtask generate` writes this page.
";

/// The pairs of the page.
const PAIRS: [(&str, &str); 11] = [
    ("Min-13", "ELEMENT_WISE_MIN"),
    ("Max-13", "ELEMENT_WISE_MAX"),
    ("Floor-13", "ELEMENT_WISE_FLOOR"),
    ("Expand-13", "ELEMENT_WISE_IDENTITY"),
    ("Clip-13", "ELEMENT_WISE_CLIP"),
    ("Clip-13", "ELEMENT_WISE_CLIP1"),
    ("Cast-13", "CAST"),
    ("Gather-13", "GATHER"),
    ("Pad-19", "PADDING"),
    ("Resize-19", "RESAMPLE2"),
    ("Softmax-13", "ACTIVATION_SOFTMAX1"),
];

/// Returns the page.
pub fn page() -> anyhow::Result<Generated> {
    let mut text = INTRODUCTION.to_owned();
    for (onnx, name) in PAIRS {
        let (operator, version) = Spec::embedded().find(onnx)?.newest().context("the operator has no version")?;
        let directml = DirectMl::embedded();
        let counterpart = directml.counterpart(version, operator.rules.as_ref(), directml.find(name)?);
        section(&mut text, &counterpart)?;
    }
    Ok(Generated { path: PathBuf::from("docs/onnx-and-directml.md"), text })
}

fn section(text: &mut String, pair: &Counterpart) -> anyhow::Result<()> {
    writeln!(text, "\n## {} and {}\n", pair.onnx, pair.directml)?;
    writeln!(text, "| type variable | DirectML's tensor | both, from level | ONNX only | DirectML only |")?;
    writeln!(text, "| --- | --- | --- | --- | --- |")?;
    for rows in pair.types.chunk_by(|a, b| (&a.variable, &a.tensor) == (&b.variable, &b.tensor)) {
        let (mut both, mut onnx, mut directml) = (Vec::new(), Vec::new(), Vec::new());
        for row in rows {
            match (&row.onnx, row.directml, row.from) {
                (Some(name), Some(_), Some(from)) => both.push(format!("{name} {from}")),
                (Some(name), ..) => onnx.push(name.clone()),
                (None, Some(name), Some(from)) => directml.push(format!("{name} {from}")),
                (None, ..) => {}
            }
        }
        let [both, onnx, directml] = [both, onnx, directml].map(|types| types.join(", "));
        writeln!(text, "| {} | {} | {both} | {onnx} | {directml} |", rows[0].variable, rows[0].tensor)?;
    }
    let counts = pair.dimension_counts.iter().map(|(level, counts)| format!("{counts} from {level}"));
    writeln!(text, "\nDimensions of DirectML's first input: {}.", counts.collect::<Vec<_>>().join("; "))?;
    for equal in &pair.equal {
        writeln!(text, "Equal in DirectML: {equal}.")?;
    }
    writeln!(text, "\n| rule | ONNX | DirectML |\n| --- | --- | --- |")?;
    for RuleRow { name, onnx, directml } in &pair.rules {
        let [onnx, directml] = [onnx, directml].map(|side| side.as_ref().map(Side::to_string).unwrap_or_default());
        writeln!(text, "| {name} | {} | {} |", cell(&onnx), cell(&directml))?;
    }
    Ok(())
}

/// Returns a text as the cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
