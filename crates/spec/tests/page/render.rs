//! Writes pages about any operator, in the forms of ONNX's documentation and with our own descriptions.

use plumbline_spec::{AttributeValue, FormalOption, ONNX_DOMAIN, Operator, OperatorVersion, Support};
use std::fmt::Write;

/// Returns a page about all versions of an operator.
pub fn page(operator: &Operator, form: Form) -> String {
    let mut text = String::new();
    for version in operator.versions.iter().rev() {
        form.version(version, &mut text).unwrap();
    }
    text
}

#[derive(Clone, Copy, Debug)]
pub enum Form {
    Rst,
    Markdown,
    Text,
}

impl Form {
    fn heading(self, level: usize, text: &str) -> String {
        match self {
            Form::Rst if level == 1 => format!("{text}\n{}\n\n", "=".repeat(text.len())),
            Form::Rst => format!("**{text}**\n\n"),
            Form::Markdown => format!("{} {text}\n\n", "#".repeat(level + 1)),
            Form::Text => format!("{text}¶\n\n"),
        }
    }

    fn item(self, name: &str, rest: &str) -> String {
        match self {
            Form::Rst => format!("* **{name}**{rest}\n  What it is - or: was (once).\n"),
            Form::Markdown => format!("- **{name}**{rest}\n\n  What it is:\n  - one\n  - two - T:\n"),
            Form::Text => format!("  • {name}{rest}\n\n    What it is\n\n      • one thing - T:\n\n"),
        }
    }

    pub fn version(self, version: &OperatorVersion, text: &mut String) -> std::fmt::Result {
        let is_onnx = version.id.domain == ONNX_DOMAIN;
        let domain = if is_onnx { String::new() } else { format!(" ({})", version.id.domain) };
        let boolean = |value: bool| if value { "True" } else { "False" };
        text.push_str(&self.heading(1, &format!("{} - {}{domain}", version.id.name, version.since)));
        text.push_str(&self.heading(2, "Version"));
        for (key, value) in [
            ("name", format!("{} (GitHub)", version.id.name)),
            ("domain", if is_onnx { "main".to_owned() } else { version.id.domain.clone() }),
            ("since_version", version.since.to_string()),
            ("function", boolean(version.function).to_owned()),
            (
                "support_level",
                format!("SupportType.{}", if version.support == Support::Common { "COMMON" } else { "EXPERIMENTAL" }),
            ),
            ("shape inference", boolean(version.shape_inference).to_owned()),
        ] {
            match self {
                Form::Rst => writeln!(text, "* **{key}**: **{value}**")?,
                Form::Markdown => writeln!(text, "- **{key}**: `{value}`")?,
                Form::Text => writeln!(text, "  • {key}: {value}\n")?,
            }
        }
        let state = if version.deprecated { "deprecated" } else { "available" };
        writeln!(text, "\nThis version of the operator has been {state}\nsince version {}.\n", version.since)?;
        text.push_str(&self.heading(2, "Summary"));
        text.push_str("What it does.\n\n- X - T:\n\n");
        if !version.attributes.is_empty() {
            text.push_str(&self.heading(2, "Attributes"));
        }
        for attribute in &version.attributes {
            let required = if attribute.required { " (required)" } else { "" };
            let default = attribute
                .default
                .as_ref()
                .map_or(String::new(), |value| format!(" (default is ``{}``)", printed(value)));
            let name = format!("{} - {}", attribute.name, attribute.kind);
            text.push_str(&self.item(&name, &format!("{required}{default} :")));
        }
        let inputs = (version.min_inputs, version.max_inputs, &version.inputs);
        let outputs = (version.min_outputs, version.max_outputs, &version.outputs);
        for (what, (min, max, formals)) in [("Inputs", inputs), ("Outputs", outputs)] {
            if formals.is_empty() {
                continue;
            }
            text.push_str(&self.heading(2, what));
            if min != max {
                writeln!(text, "Between {min} and {max} {}.\n", what.to_lowercase())?;
            }
            for formal in formals {
                let words = [
                    (formal.option == FormalOption::Optional).then_some("optional"),
                    (formal.option == FormalOption::Variadic).then_some("variadic"),
                    formal.homogeneous.then_some("heterogeneous"),
                ];
                let words: Vec<&str> = words.into_iter().flatten().collect();
                let words = if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) };
                text.push_str(&self.item(&formal.name, &format!("{words} - **{}**:", formal.type_)));
            }
        }
        if !version.types.is_empty() {
            text.push_str(&self.heading(2, "Type Constraints"));
        }
        for (variable, types) in &version.types {
            let types: Vec<String> = types.iter().map(ToString::to_string).collect();
            let separator = if matches!(self, Form::Rst) { ",\n  " } else { ", " };
            text.push_str(&self.item(variable, &format!(" in ( {} ):", types.join(separator))));
        }
        Ok(())
    }
}

/// Returns a default in a form that the documentation uses. Floats up to a magnitude of 1e6 are rounded to
/// five digits after the point, and larger ones stand in parentheses.
fn printed(value: &AttributeValue) -> String {
    let float = |value: &f32| match value.abs() {
        size if size > 1e6 => format!("({value:e})"),
        _ => format!("{}", (f64::from(*value) * 1e5).round() / 1e5),
    };
    match value {
        AttributeValue::Float(value) => format!("'{}'", float(value)),
        AttributeValue::Int(value) => format!("'{value}'"),
        AttributeValue::String(value) => format!("'{value}'"),
        AttributeValue::Floats(values) => format!("{:?}", values.iter().map(float).collect::<Vec<_>>()),
        AttributeValue::Ints(values) => format!("{:?}", values.iter().map(ToString::to_string).collect::<Vec<_>>()),
        AttributeValue::Strings(values) => format!("{values:?}"),
        AttributeValue::Tensor(value) => value.to_string(),
    }
}
