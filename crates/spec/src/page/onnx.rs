//! Reads ONNX's pages of operators.
//!
//! The reader accepts three forms of the same page: reStructuredText, its Markdown successor, and the plain text of the
//! rendered page. Each has one block for each version: a heading (`Min - 13`), a list of properties, and sections for
//! attributes, inputs, outputs and type constraints. Summaries, examples and the tables of differences are skipped,
//! because `specs/` does not hold such facts.
//!
//! The word `heterogeneous` needs care. The generator of these pages prints it beside every input and output whose
//! `is_homogeneous` is *true*, and prints nothing if it is false. So the reader takes `heterogeneous` to mean
//! homogeneous.

use super::lines::{Line, bullet, lines, plain};
use super::{Comparison, Fact, PRESENT, PageError, disagreements, error, pattern};
use crate::id::OperatorId;
use crate::load::Spec;
use crate::operator::{AttributeValue, Formal, FormalOption, OperatorVersion, Support};
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

static HEADING: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:[a-z][a-z0-9.]* - )?([A-Z][A-Za-z0-9_]*) - ([0-9]+)(?: \(([a-z][a-z0-9.]*)\))?$"));
static COUNT: LazyLock<Regex> = LazyLock::new(|| pattern(r"^Between ([0-9]+) and ([0-9]+) (?:inputs|outputs)\.?$"));
static FORMAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^([A-Za-z0-9_.]+) *(?:\(([^()\n]*)\))? *- *([A-Za-z_][A-Za-z0-9_]*(?:\([^:\n]*\))?) *:")
});
static ATTRIBUTE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^([A-Za-z0-9_]+)(?: *- *([A-Z_]+))? *(\(required\))? *(?:\(default is (.*?)\))? *:"));
static CONSTRAINT: LazyLock<Regex> = LazyLock::new(|| pattern(r"^([A-Za-z0-9_]+) in \("));
/// Older pages end the description of an attribute with the default as protobuf prints it, or with a `?`, which leaves
/// open whether there is one.
static OLD_DEFAULT: LazyLock<Regex> = LazyLock::new(|| pattern(r"Default value is (.*?)\.? *$"));
static OLD_VALUE: LazyLock<Regex> = LazyLock::new(|| pattern(r#" (?:f|i|s|floats|ints|strings): ("[^"]*"|[^ ]+)"#));
static OLD_KIND: LazyLock<Regex> = LazyLock::new(|| pattern(r" type: ([A-Z_]+)"));

/// What a page says about one version.
struct Version {
    /// The name and version come from the heading. The domain comes from the property `domain`, or from the heading if
    /// there is no such property.
    id: OperatorId,
    /// The line of the heading.
    line: usize,
    /// The lines of the sections that list attributes, inputs, outputs and type variables.
    sections: BTreeMap<&'static str, usize>,
    facts: Vec<Fact>,
}

/// Compares a page in any of its forms with `spec`.
pub(super) fn compare(text: &str, spec: &Spec) -> Result<Comparison, PageError> {
    let mut result = Comparison::default();
    let mut seen = BTreeSet::new();
    for page in versions(&lines(text))? {
        let id = page.id.to_string();
        result.compared.push(id.clone());
        let heading = |fact| Fact::new(page.line, fact, "");
        let text = |text: &str| Some(text.to_owned());
        if !seen.insert(page.id.clone()) {
            result.disagreements.push(heading("blocks").disagrees(&id, text("a second block"), text("one version")));
            continue;
        }
        result.disagreements.extend(match spec.version(&page.id) {
            Some(version) => disagreements(&id, &page.facts, &known_facts(version, &page)),
            None => vec![heading("exists").disagrees(&id, text("yes"), None)],
        });
    }
    let operators: BTreeSet<(&str, &str)> = seen.iter().map(|id| (id.domain.as_str(), id.name.as_str())).collect();
    for operator in operators.iter().filter_map(|(domain, name)| spec.operator(domain, name)) {
        let missing = operator.versions.iter().map(|version| &version.id).filter(|id| !seen.contains(id));
        result.not_on_page.extend(missing.map(OperatorId::to_string));
    }
    Ok(result)
}

/// Returns the title of the section that a line opens.
fn section(text: &str) -> Option<String> {
    let known = ["Version", "Attributes", "Inputs", "Outputs", "Type Constraints"];
    let skipped = ["Summary", "Examples", "Differences", "Function Body"];
    let title = plain(text);
    let opens = known.contains(&title.as_str()) || skipped.contains(&title.as_str());
    (opens || text.starts_with(".. toctree::") || text.starts_with("```{toctree}")).then_some(title)
}

/// Returns the operator version that a heading names, with the domain if it stands in parentheses at the end.
fn heading(line: &Line) -> Option<OperatorId> {
    let text = plain(&line.text);
    let found = HEADING.captures(&text)?;
    Some(OperatorId::new(found.get(3).map_or("", |domain| domain.as_str()), &found[1], found[2].parse().ok()?))
}

fn versions(lines: &[Line]) -> Result<Vec<Version>, PageError> {
    // The lines that underline headings in reStructuredText.
    let is_rule = |text: &str| text.len() >= 3 && text.bytes().all(|byte| b"=-~^+\"".contains(&byte));
    let start = |(index, line): (usize, &Line)| {
        let id = heading(line)?;
        let below = lines[index + 1..].iter().find(|line| !is_rule(&line.text))?;
        (section(&below.text)? == "Version").then_some((index, id))
    };
    let starts: Vec<(usize, OperatorId)> = lines.iter().enumerate().filter_map(start).collect();
    let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([lines.len()]);
    let versions = starts.iter().zip(ends).map(|((start, id), end)| Version::parse(&lines[*start..end], id));
    if starts.is_empty() { Err(PageError::NoVersions) } else { versions.collect() }
}

impl Version {
    fn parse(lines: &[Line], id: &OperatorId) -> Result<Version, PageError> {
        let (name, line) = (format!("{} - {}", id.name, id.since), lines[0].number);
        let mut page = Version { id: id.clone(), line, sections: BTreeMap::new(), facts: Vec::new() };
        let starts: Vec<(usize, String)> = lines
            .iter()
            .enumerate()
            .filter_map(|(index, line)| Some((index, section(&line.text).filter(|_| line.indent == 0)?)))
            .collect();
        let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([lines.len()]);
        for ((start, title), end) in starts.iter().zip(ends) {
            let (line, body) = (lines[*start].number, &lines[start + 1..end]);
            let (what, item, form) = match title.as_str() {
                "Version" => {
                    body.iter().try_for_each(|line| page.property(line.number, &plain(&line.text)))?;
                    continue;
                }
                "Attributes" => ("attribute", &ATTRIBUTE, "name - TYPE (default is ...):"),
                "Inputs" => ("input", &FORMAL, "name (options) - type:"),
                "Outputs" => ("output", &FORMAL, "name (options) - type:"),
                "Type Constraints" => ("type variable", &CONSTRAINT, "T in (...)"),
                _ => continue,
            };
            if page.sections.insert(what, line).is_some() {
                return Err(error(line, format!("a second section `{title}` in {name}")));
            }
            if what == "input" || what == "output" {
                page.facts.push(count(what, line, body)?);
            }
            let items = items(body, item);
            if items.is_empty() {
                return Err(error(line, format!("this section lists nothing of the form `{form}`")));
            }
            for (index, (line, text)) in items.iter().enumerate() {
                match what {
                    "attribute" => page.attribute(*line, text),
                    "type variable" => page.constraint(*line, text)?,
                    _ => page.formal(*line, text, what, index)?,
                }
            }
        }
        match page.facts.iter().any(|fact| fact.name == "since_version") {
            true => Ok(page),
            false => Err(error(line, format!("the section `Version` of {name} has no `since_version`"))),
        }
    }

    fn property(&mut self, line: usize, text: &str) -> Result<(), PageError> {
        if let Some(state) = text.strip_prefix("This version of the operator has been ") {
            self.facts.push(Fact::new(line, "deprecated", state.split_whitespace().next() == Some("deprecated")));
        }
        let Some((key, value)) = bullet(text).and_then(|text| text.split_once(':')) else { return Ok(()) };
        let (key, value) = (key.trim(), value.trim());
        match (key, value) {
            ("domain", _) => {
                let domain = if value == "main" { "" } else { value };
                self.id = OperatorId::new(domain, &self.id.name, self.id.since);
            }
            ("since_version", _) => {
                let since: u32 = value.parse().map_err(|_| error(line, format!("`{value}` is not a version")))?;
                self.facts.push(Fact::new(line, key, since));
            }
            ("function" | "shape inference" | "support_level", "") => {}
            ("function" | "shape inference", "True") => self.facts.push(Fact::new(line, key, true)),
            ("function" | "shape inference", "False") => self.facts.push(Fact::new(line, key, false)),
            ("function" | "shape inference", other) => {
                return Err(error(line, format!("found `{other}`, expected True or False")));
            }
            ("support_level", _) => {
                let level = value.rsplit_once('.').map_or(value, |(_, level)| level);
                self.facts.push(Fact::new(line, key, level.to_lowercase()));
            }
            _ => {}
        }
        Ok(())
    }

    fn attribute(&mut self, line: usize, text: &str) {
        let Some(found) = ATTRIBUTE.captures(text) else { return };
        let name = format!("attribute {}", &found[1]);
        let mut kind = found.get(2).map(|kind| kind.as_str().to_owned());
        // Pages that state the kind also state the default, if there is one.
        let mut default = kind.is_some().then_some(None);
        if let Some(printed) = found.get(4) {
            default = Some(Some(printed.as_str().to_owned()));
        } else if kind.is_none()
            && let Some(old) = OLD_DEFAULT.captures(&text.replace('\n', " "))
            && let Some(old_kind) = OLD_KIND.captures(&old[1])
        {
            let values = OLD_VALUE.captures_iter(&old[1]).filter_map(|value| value.get(1));
            let values = values.map(|value| value.as_str().trim_matches('"')).collect::<Vec<_>>().join(", ");
            default = Some(Some(if old_kind[1].ends_with('S') { format!("[{values}]") } else { values }));
            kind = Some(old_kind[1].to_owned());
        }
        self.facts.extend(kind.map(|kind| Fact::new(line, format!("{name} type"), kind)));
        self.facts.push(Fact::new(line, format!("{name} required"), found.get(3).is_some()));
        self.facts.extend(default.map(|default| Fact::set(line, format!("{name} default"), default)));
        self.facts.push(Fact::new(line, name, PRESENT));
    }

    fn formal(&mut self, line: usize, text: &str, what: &str, index: usize) -> Result<(), PageError> {
        let Some(found) = FORMAL.captures(text) else { return Ok(()) };
        let (name, type_) = (found[1].to_owned(), found[3].to_owned());
        let mut formal = Formal { name, type_, option: FormalOption::Single, homogeneous: false, min_arity: 0 };
        let words = found.get(2).map_or("", |words| words.as_str()).split(',').map(str::trim);
        for word in words.filter(|word| !word.is_empty()) {
            match word {
                "optional" => formal.option = FormalOption::Optional,
                "variadic" => formal.option = FormalOption::Variadic,
                // The generator prints this word if `is_homogeneous` is true; see the head of this file.
                "heterogeneous" => formal.homogeneous = true,
                other => return Err(error(line, format!("`{other}` is not a known option of an input or output"))),
            }
        }
        self.facts.extend(formal_facts(line, what, index, &formal));
        Ok(())
    }

    fn constraint(&mut self, line: usize, text: &str) -> Result<(), PageError> {
        let Some(found) = CONSTRAINT.captures(text) else { return Ok(()) };
        let name = &found[1];
        let types = types(&text[found[0].len()..])
            .ok_or_else(|| error(line, format!("the types of {name} have no closing parenthesis")))?;
        let item = Fact::new(line, format!("type variable {name}"), PRESENT);
        if types.is_empty() {
            return Err(error(line, format!("{name} has no types")));
        }
        if self.facts.iter().any(|fact| fact.name == item.name) {
            return Err(error(line, format!("a second constraint of {name}")));
        }
        self.facts.extend([item, Fact::set(line, format!("types of {name}, those that differ"), types)]);
        Ok(())
    }
}

/// Returns the number of inputs or outputs. A page prints the smallest and the largest number only if they differ.
fn count(what: &str, line: usize, body: &[Line]) -> Result<Fact, PageError> {
    let name = format!("number of {what}s");
    for line in body {
        let Some(found) = COUNT.captures(&plain(&line.text)).map(|found| [found[1].to_owned(), found[2].to_owned()])
        else {
            continue;
        };
        if let Some(number) = found.iter().find(|number| number.parse::<u32>().is_err()) {
            return Err(error(line.number, format!("{number} does not fit in 32 bits")));
        }
        return Ok(Fact::new(line.number, name, found.join(" to ")));
    }
    Ok(Fact::new(line, name, "a single number"))
}

/// Returns the items of a section with their line and all of their text, without markup: the bullets that `pattern`
/// matches and that are indented at most as far as the first of them. Other bullets belong to the text of an item,
/// because descriptions contain lists.
fn items(body: &[Line], pattern: &Regex) -> Vec<(usize, String)> {
    let mut items: Vec<(usize, String)> = Vec::new();
    let mut indent = None;
    for line in body {
        let text = bullet(&line.text).map(plain).filter(|text| pattern.is_match(text));
        match text.filter(|_| line.indent <= *indent.get_or_insert(line.indent)) {
            Some(text) => items.push((line.number, text)),
            None => {
                items.iter_mut().last().into_iter().for_each(|(_, text)| *text += &format!("\n{}", plain(&line.text)))
            }
        }
    }
    items
}

/// Returns the types up to the closing parenthesis, as ONNX writes them, or `None` if there is none. The types are
/// separated by commas, and may have commas inside: `map(string, float)`.
fn types(text: &str) -> Option<Vec<String>> {
    let (mut depth, mut types) = (0_usize, vec![String::new()]);
    for character in text.chars() {
        match character {
            ')' if depth == 0 => {
                let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
                let types = types.iter().map(|type_| type_.split(',').map(words).collect::<Vec<_>>().join(", "));
                return Some(types.filter(|type_| !type_.is_empty()).collect());
            }
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        match types.last_mut() {
            Some(last) if character != ',' || depth > 0 => last.push(character),
            _ => types.push(String::new()),
        }
    }
    None
}

fn formal_facts(line: usize, what: &str, index: usize, formal: &Formal) -> [Fact; 5] {
    let fact = |field: &str| format!("{what} {}{field}", formal.name);
    [
        Fact::new(line, fact(""), PRESENT),
        Fact::new(line, fact(" position"), index),
        Fact::new(line, fact(" type"), &formal.type_),
        Fact::new(line, fact(" option"), formal.option.name()),
        Fact::new(line, fact(" homogeneous (printed as `heterogeneous`)"), formal.homogeneous),
    ]
}

/// Returns what `specs/` says about a version. A printed value that means the same is taken from the page.
fn known_facts(version: &OperatorVersion, page: &Version) -> Vec<Fact> {
    let section = |what: &str| page.sections.get(what).copied().unwrap_or(page.line);
    let printed = |name: &str| page.facts.iter().find(|fact| fact.name == name).and_then(|fact| fact.values.first());
    let support = match version.support {
        Support::Common => "common",
        Support::Experimental => "experimental",
    };
    let mut facts = vec![
        Fact::new(page.line, "since_version", version.since),
        Fact::new(page.line, "function", version.function),
        Fact::new(page.line, "shape inference", version.shape_inference),
        Fact::new(page.line, "deprecated", version.deprecated),
        Fact::new(page.line, "support_level", support),
    ];
    for attribute in &version.attributes {
        let (line, name) = (section("attribute"), format!("attribute {}", attribute.name));
        let mut default = Fact::set(line, format!("{name} default"), &attribute.default);
        if let (Some(value), Some(printed)) = (&attribute.default, printed(&default.name))
            && same_default(printed, value)
        {
            default.values = [printed.clone()].into();
        }
        facts.extend([
            Fact::new(line, format!("{name} type"), attribute.kind.name()),
            Fact::new(line, format!("{name} required"), attribute.required),
            default,
            Fact::new(line, name, PRESENT),
        ]);
    }
    let inputs = ("input", version.min_inputs, version.max_inputs, &version.inputs);
    let outputs = ("output", version.min_outputs, version.max_outputs, &version.outputs);
    for (what, min, max, formals) in [inputs, outputs] {
        let name = format!("number of {what}s");
        let single = min == max && printed(&name).is_some_and(|count| count == "a single number");
        let count = if single { "a single number".to_owned() } else { format!("{min} to {max}") };
        facts.push(Fact::new(section(what), name, count));
        for (index, formal) in formals.iter().enumerate() {
            facts.extend(formal_facts(section(what), what, index, formal));
        }
    }
    for (variable, types) in &version.types {
        let line = section("type variable");
        facts.push(Fact::new(line, format!("type variable {variable}"), PRESENT));
        facts.push(Fact::set(line, format!("types of {variable}, those that differ"), types));
    }
    facts
}

/// Returns whether a printed default is that of `specs/`, apart from the rounding of floats.
fn same_default(printed: &str, specs: &AttributeValue) -> bool {
    // Spaces, quotes, and the parentheses around long numbers.
    let unquote = |text: &str| {
        let text = text.trim().trim_matches(['\'', '"']).trim();
        text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text).to_owned()
    };
    // Pages print five digits after the point. This is a little more than half a unit of the last one.
    let float = |text: &String, value: &f32| {
        let value = f64::from(*value);
        text.parse::<f64>().is_ok_and(|printed| (printed - value).abs() <= f64::max(0.5001e-5, value.abs() * 1e-6))
    };
    let scalar = unquote(printed);
    let items = scalar.trim_start_matches('[').trim_end_matches(']').split(',').map(unquote);
    let list: Vec<String> = items.filter(|item| scalar.starts_with('[') && !item.is_empty()).collect();
    let is_list = scalar.starts_with('[');
    match specs {
        AttributeValue::Float(value) => float(&scalar, value),
        AttributeValue::Int(value) => scalar.parse() == Ok(*value),
        AttributeValue::String(value) => scalar == value.trim(),
        AttributeValue::Floats(values) => {
            is_list && list.len() == values.len() && list.iter().zip(values).all(|(text, value)| float(text, value))
        }
        AttributeValue::Ints(values) => {
            is_list && list.iter().map(|text| text.parse().ok()).eq(values.iter().copied().map(Some))
        }
        AttributeValue::Strings(values) => is_list && list == *values,
        AttributeValue::Tensor(_) => true,
    }
}
