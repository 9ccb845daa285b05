//! How a rule is printed for people.

use crate::colour::{Colour, Paint};
use crate::output::wrap;
use plumbline_spec::{Behaviour, Status};

/// The number of columns to which text is wrapped.
const WIDTH: usize = 100;

/// Returns a rule under its head, followed by the fields that are not empty.
pub(super) fn rule(paint: Paint, head: &str, colour: Colour, text: &str, fields: &[(&str, &str)]) -> String {
    let mut lines = vec![format!("  {}", paint.paint(colour, head))];
    lines.extend(wrap(text, WIDTH - 6).into_iter().map(|line| format!("      {line}")));
    for (name, value) in fields.iter().filter(|(_, value)| !value.is_empty()) {
        for (index, line) in wrap(&format!("{name}: {value}"), WIDTH - 8).into_iter().enumerate() {
            let indent = if index == 0 { 6 } else { 8 };
            lines.push(format!("{}{}", " ".repeat(indent), paint.paint(Colour::Dim, &line)));
        }
    }
    lines.join("\n") + "\n"
}

/// Returns a behaviour under its head, with what is allowed where nothing decides it.
pub(super) fn behaviour(paint: Paint, head: &str, rule: &Behaviour) -> String {
    let colour = if rule.status == Status::Defined { Colour::Green } else { Colour::Yellow };
    let outcomes = rule.outcomes.join(" | ");
    self::rule(paint, head, colour, &rule.text, &[("allowed", &outcomes), ("source", &rule.source)])
}
