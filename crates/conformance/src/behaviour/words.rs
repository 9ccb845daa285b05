//! Formats comparisons as text for people.

use plumbline_generator::short_type;
use plumbline_oracle::{Allowed, Answer, Expected, NumberKind, Operand};
use plumbline_spec::Label;
use plumbline_spec::{Change, Operator, OperatorVersion, Part as SpecPart, SpecDiff, What};
use plumbline_tensor::onnx::AttributeProto;
use plumbline_tensor::{DType, Tensor, ValueKind, tensor_from_proto};

use super::difference::{Part, Sort};
use super::example::{Example, Found, Key};
use super::translate::Setting;

/// The longest line in characters, unless a single word is longer.
const WIDTH: usize = 110;

/// Returns the first line of a snapshot.
pub(super) fn title(operator: &Operator) -> String {
    let versions: Vec<String> = operator.versions.iter().map(|v| v.since().to_string()).collect();
    format!("{}: versions {}\n", operator.qualified_name(), versions.join(", "))
}

/// Describes what changed between two versions. `found` is `None` if the oracle has nothing to compare, because the
/// later version is deprecated.
pub(super) fn pair(diff: &SpecDiff, from: &OperatorVersion, to: &OperatorVersion, found: Option<&Found>) -> String {
    let mut text = format!("\n{} to {}\n", diff.from, diff.to);
    if diff.is_empty() {
        text += "  specification: no change in what specs/ holds\n";
    } else {
        text += "  specification\n";
    }
    for change in &diff.changes {
        text += &changed(change);
    }
    let versions = [from, to];
    match found {
        None => text += &format!("  oracle: {} is deprecated, there is nothing to compare\n", to.id),
        Some(found) if found.compared == 0 => {
            text += "  oracle: no case of one version can be translated to the other\n";
        }
        Some(found) if found.examples.is_empty() => {
            text += &format!("  oracle: no difference found in {}\n", many(found.compared));
        }
        Some(found) => {
            text += &format!("  oracle: differences found in {}\n", many(found.compared));
            for (key, example) in &found.examples {
                text += &wrapped(4, 6, &heading(key, example, versions));
                text += &case_and_answers(key, example, versions);
            }
        }
    }
    text
}

/// Formats a number of cases. Numbers above 10 are rounded down, so that small changes do not alter the text.
fn many(count: usize) -> String {
    let below = |&floor: &usize| floor < count;
    let floors = (0..6).rev().flat_map(|power| [5, 2, 1].map(|digit| digit * 10usize.pow(power)));
    match floors.into_iter().find(below) {
        Some(floor) if floor >= 10 => format!("over {floor} cases"),
        _ if count == 1 => "1 case".to_owned(),
        _ => format!("{count} cases"),
    }
}

/// Formats a change of the specification.
fn changed(change: &Change) -> String {
    let types = |value: &serde_json::Value| {
        let names = value.as_array().into_iter().flatten().filter_map(serde_json::Value::as_str).map(short_type);
        names.collect::<Vec<_>>().join(", ")
    };
    let (part, name) = (change.part.name(), &change.name);
    let line = match (change.part, &change.what) {
        (SpecPart::Types, What::Added { to }) => format!("+ types {name}: {}", types(to)),
        (SpecPart::Types, What::Removed { from }) => format!("- types {name}: {}", types(from)),
        (SpecPart::Constraint | SpecPart::Behaviour | SpecPart::Accuracy, what) => match what {
            What::Added { to } => format!("+ {part} {name}{}", rule(to)),
            What::Removed { from } => format!("- {part} {name}{}", rule(from)),
            // Two paragraphs are easier to read than one line with an arrow.
            What::Changed { from, to } => {
                return wrapped(4, 6, &format!("~ {part} {name}"))
                    + &wrapped(6, 8, &format!("was{}", rule(from)))
                    + &wrapped(6, 8, &format!("is{}", rule(to)));
            }
        },
        _ => change.to_string(),
    };
    wrapped(4, 6, &line)
}

/// Formats a rule as ` (overflow, unspecified): ...` for a behaviour, and as `: ...` for other rules.
fn rule(rule: &serde_json::Value) -> String {
    let text = |key: &str| rule.get(key).and_then(serde_json::Value::as_str);
    let about = match (text("subject"), text("status")) {
        (Some(subject), Some(status)) => format!(" ({subject}, {status})"),
        _ => String::new(),
    };
    format!("{about}: {}", text("text").unwrap_or("no text"))
}

/// Returns the heading for a kind of difference.
fn heading(key: &Key, example: &Example, [from, to]: [&OperatorVersion; 2]) -> String {
    let (a, b) = (from.since(), to.since());
    let mut line = match &key.sort {
        Sort::Answer(Part::Elements) => "both accept, the answers differ".to_owned(),
        Sort::Answer(Part::Shape) => "both accept, the shapes of the answers differ".to_owned(),
        Sort::Answer(Part::Type) => "both accept, the types of the answers differ".to_owned(),
        Sort::Answer(Part::Count) => "both accept, with different numbers of outputs".to_owned(),
        Sort::OnlyEarlier(label) => format!("only {a} accepts; {b} refuses by {label}"),
        Sort::OnlyLater(label) => format!("only {b} accepts; {a} refuses by {label}"),
        Sort::Decided(label) => format!("{a} left open what {b} decides ({label} of {a})"),
        Sort::Opened(label) => format!("{b} leaves open what {a} decided ({label} of {b})"),
        Sort::OtherwiseOpen(old, new) => {
            format!("both leave it open, in different ways ({})", labels(*old, *new, a, b))
        }
        Sort::Range => "the same answer, with another range accepted around it".to_owned(),
    };
    for (setting, version) in example.settings.iter().zip([from, to]) {
        if !setting.dropped.is_empty() {
            line += &format!("; {} has no {}", version.since(), setting.dropped.join(", "));
        }
    }
    if key.defaults {
        line += &format!("; {} left out, the defaults differ", example.defaults.join(", "));
    }
    line + ":"
}

fn labels(old: Label, new: Label, a: u32, b: u32) -> String {
    if old == new { old.to_string() } else { format!("{old} of {a}, {new} of {b}") }
}

/// Describes the case and both answers.
fn case_and_answers(key: &Key, example: &Example, versions: [&OperatorVersion; 2]) -> String {
    let settings = [0, 1].map(|side| setting(&example.settings[side], versions[side]));
    let same = settings[0] == settings[1];
    let widest = versions[1].since().to_string().len();
    let (first, further) = (8, 8 + widest + 2);
    let mut text = String::new();
    if same {
        text += &wrapped(first, further, &settings[0]);
    }
    for side in 0..2 {
        let since = format!("{}{:>widest$}  ", " ".repeat(first), versions[side].since());
        let answer = answer(&example.answers[side], example.place, key);
        if same {
            text += &(since + wrapped(further, further + 2, &answer).trim_start());
        } else {
            text += &(since + wrapped(further, further + 2, &settings[side]).trim_start());
            text += &wrapped(further, further + 2, &format!("= {answer}"));
        }
    }
    text
}

/// Formats a setting: `axis = 1, input = float[2] [1, 2]`.
fn setting(setting: &Setting, version: &OperatorVersion) -> String {
    let mut parts: Vec<String> = setting.attributes.iter().map(attribute).collect();
    parts.sort();
    for (position, given) in setting.inputs.iter().enumerate() {
        let name = version.input_at(position).map_or("?", |f| f.name.as_str());
        if let Some(given) = given {
            parts.push(format!("{name} = {given}"));
        }
    }
    parts.extend(setting.outer.iter().map(|(name, given)| format!("outer value {name} = {given}")));
    if parts.is_empty() { "nothing given".to_owned() } else { parts.join(", ") }
}

fn attribute(attribute: &AttributeProto) -> String {
    let quoted = |s: &Vec<u8>| format!("\"{}\"", s.escape_ascii());
    let name = attribute.name.as_deref().unwrap_or("?");
    let value = match attribute.r#type {
        Some(1) => attribute.f.unwrap_or(0.0).to_string(),
        Some(2) => attribute.i.unwrap_or(0).to_string(),
        Some(3) => attribute.s.as_ref().map(quoted).unwrap_or_default(),
        Some(4) => match attribute.t.as_ref().map(tensor_from_proto) {
            Some(Ok(tensor)) => tensor.to_string(),
            _ => "a tensor".to_owned(),
        },
        Some(6) => format!("{:?}", attribute.floats),
        Some(7) => format!("{:?}", attribute.ints),
        Some(8) => format!("[{}]", attribute.strings.iter().map(quoted).collect::<Vec<_>>().join(", ")),
        Some(5) => attribute.g.as_deref().map(crate::node_text::graph_text).unwrap_or_default(),
        Some(13) => attribute.tp.as_deref().and_then(ValueKind::from_proto).map(|k| k.to_string()).unwrap_or_default(),
        _ => "...".to_owned(),
    };
    format!("{name} = {value}")
}

/// Formats an answer on one line. For the element at `place`, appends the other outcomes that the specification allows
/// or, if the versions differ only in the accepted range, that range.
fn answer(answer: &Answer, place: Option<(usize, usize)>, key: &Key) -> String {
    let outputs = match answer {
        Ok(outputs) => outputs,
        Err(refusal) => {
            let label = refusal.label.map_or("refused".to_owned(), |l| l.to_string());
            return format!("{label}: {}", refusal.message);
        }
    };
    let output = |o: &Operand| match o.tensor().ok().and_then(|t| t.random.as_ref()) {
        Some(drawn) => format!("drawn from {drawn}"),
        None => o.to_value().to_string(),
    };
    let mut text = outputs.iter().map(output).collect::<Vec<_>>().join(" and ");
    if let Some((output, index)) = place
        && let Some(Operand::Tensor(expected)) = outputs.get(output)
        && let Some(accepted) = other_outcomes(expected, index).or_else(|| range(expected, index, key))
    {
        let single = outputs.len() == 1 && expected.len() == 1;
        text += &if single { format!(", {accepted}") } else { format!("; element {index}: {accepted}") };
    }
    text
}

fn number(x: f64, dtype: DType) -> String {
    Tensor::from_f64s(dtype, vec![], &[x]).map(|t| t.element_text(0)).unwrap_or_default()
}

/// Describes the other outcomes that are accepted where the specification leaves the answer open.
fn other_outcomes(expected: &Expected, index: usize) -> Option<String> {
    let dtype = expected.dtype();
    let number = |x| number(x, dtype);
    let (_, latitude) = expected.latitude.iter().find(|(at, _)| *at == index)?;
    let others = match &latitude.allowed {
        Allowed::Anything => "anything".to_owned(),
        Allowed::Reals(reals) => reals.describe(number),
        Allowed::Ints(ints) if dtype == DType::Bool => ints.describe(|x| (x != 0).to_string()),
        Allowed::Ints(ints) => ints.describe(|x| x.to_string()),
        Allowed::Spelling(..) => "spelled in another way".to_owned(),
        Allowed::Trimmed => "without the blanks at its end".to_owned(),
        Allowed::Elements(_) => "another element".to_owned(),
        Allowed::Among(set) => {
            let members: Vec<String> = (0..128).filter(|n| set >> n & 1 == 1).map(|n: i32| n.to_string()).collect();
            members.join(" or ")
        }
    };
    Some(format!("or {others} ({})", latitude.label))
}

/// Describes the accepted range of an element if the versions differ only in that range.
fn range(expected: &Expected, index: usize, key: &Key) -> Option<String> {
    let dtype = expected.dtype();
    if key.sort != Sort::Range || !(dtype.is_float() || dtype.is_integer()) {
        return None;
    }
    Some(match expected.number(index).kind {
        NumberKind::Real(x) if x.low < x.high => format!("{} to {}", number(x.low, dtype), number(x.high, dtype)),
        NumberKind::Real(x) if x.mid == 0.0 && x.signed_zero => "of this sign".to_owned(),
        NumberKind::Real(x) if x.mid == 0.0 => "of either sign".to_owned(),
        NumberKind::Int(x) if x.low < x.high => format!("{} to {}", x.low, x.high),
        _ => return None,
    })
}

/// Formats a paragraph with line breaks at blanks. The first line and the further lines are indented by the given
/// number of blanks.
fn wrapped(first: usize, further: usize, text: &str) -> String {
    let mut lines = String::new();
    let mut line = " ".repeat(first);
    let mut empty = true;
    for word in text.split_whitespace() {
        if !empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines += &line;
            lines.push('\n');
            line = " ".repeat(further);
        } else if !empty {
            line.push(' ');
        }
        line += word;
        empty = false;
    }
    lines + &line + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_blanks() {
        let text = wrapped(4, 6, &"word ".repeat(40));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("    word") && lines[0].len() <= WIDTH && lines[1].starts_with("      word"));
        assert_eq!(wrapped(2, 4, "one"), "  one\n");
    }

    #[test]
    fn numbers_of_cases_are_rounded() {
        let told = [1, 10, 11, 800, 1000, 1001].map(many);
        let wanted = ["1 case", "10 cases", "over 10 cases", "over 500 cases", "over 500 cases", "over 1000 cases"];
        assert_eq!(told, wanted);
    }
}
