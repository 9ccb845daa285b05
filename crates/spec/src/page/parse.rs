//! Reads a page into a [`Page`].

use super::lines::{Line, bullet, lines, plain};
use super::{At, Page, PageAttribute, PageDefault, PageFormal, PageFormals, PageVersion};
use crate::id::OperatorId;
use crate::operator::FormalOption;
use regex::{Captures, Regex};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Why a page cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PageError {
    /// The page has no version of an operator.
    #[error(
        "the page has no version of an operator: a page of ONNX's documentation has a heading like `Min - 13` with a \
         section `Version` below it"
    )]
    NoVersions,
    /// A line does not have the expected form.
    #[error("line {line}: {message}")]
    Line {
        /// The line number, from 1.
        line: usize,
        /// What is wrong with the line.
        message: String,
    },
}

fn error(line: usize, message: impl Into<String>) -> PageError {
    PageError::Line { line, message: message.into() }
}

/// Compiles a pattern of this file. Each pattern is known to be well-formed, because a test uses it.
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the patterns of this file are well-formed")
}

static HEADING: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:[a-z][a-z0-9.]* - )?([A-Z][A-Za-z0-9_]*) - ([0-9]+)(?: \(([a-z][a-z0-9.]*)\))?$"));
static COUNT: LazyLock<Regex> = LazyLock::new(|| pattern(r"^Between ([0-9]+) and ([0-9]+) (?:inputs|outputs)\.?$"));
static FORMAL: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^([A-Za-z0-9_.]+) *(?:\(([^()]*)\))? *- *([A-Za-z_][A-Za-z0-9_]*(?:\([^:]*\))?) *:"));
static ATTRIBUTE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^([A-Za-z0-9_]+)(?: *- *([A-Z_]+))? *(\(required\))? *(?:\(default is (.*?)\))? *:(.*)$")
});
static CONSTRAINT: LazyLock<Regex> = LazyLock::new(|| pattern(r"^([A-Za-z0-9_]+) in \($"));
static OLD_DEFAULT: LazyLock<Regex> = LazyLock::new(|| pattern(r"Default value is (.*?)\.?$"));
static OLD_VALUE: LazyLock<Regex> = LazyLock::new(|| pattern(r#" (?:f|i|s|floats|ints|strings): ("[^"]*"|[^ ]+)"#));
static OLD_KIND: LazyLock<Regex> = LazyLock::new(|| pattern(r" type: ([A-Z_]+)"));

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    Version,
    Attributes,
    Inputs,
    Outputs,
    Types,
    /// Summary, examples, differences and function body. They hold no facts.
    Other,
}

/// Returns the section that a line opens.
fn section(text: &str) -> Option<Section> {
    Some(match plain(text).as_str() {
        "Version" => Section::Version,
        "Attributes" => Section::Attributes,
        "Inputs" => Section::Inputs,
        "Outputs" => Section::Outputs,
        "Type Constraints" => Section::Types,
        "Summary" | "Examples" | "Differences" | "Function Body" => Section::Other,
        _ if text.starts_with(".. toctree::") || text.starts_with("```{toctree}") => Section::Other,
        _ => return None,
    })
}

/// Returns the operator and version that a heading names, and the domain if it stands in parentheses at the end.
fn heading(line: &Line) -> Option<(String, u32, Option<String>)> {
    let text = Some(plain(&line.text)).filter(|text| text.contains(" - "))?;
    let captures = HEADING.captures(&text)?;
    let domain = captures.get(3).map(|domain| domain.as_str().to_owned());
    Some((captures[1].to_owned(), captures[2].parse().ok()?, domain))
}

/// Returns whether the line underlines a heading in reStructuredText.
fn is_rule(text: &str) -> bool {
    text.len() >= 3 && text.bytes().all(|byte| b"=-~^+\"".contains(&byte))
}

impl Page {
    /// Reads a page of ONNX's documentation in any of its forms.
    ///
    /// # Errors
    /// Returns an error if the text has no version of an operator, or for the first line that does not have the
    /// expected form.
    pub fn parse(text: &str) -> Result<Page, PageError> {
        let lines = lines(text);
        let mut starts = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            let Some(heading) = heading(line) else { continue };
            let below = lines[index + 1..].iter().find(|line| !is_rule(&line.text));
            if below.is_some_and(|line| section(&line.text) == Some(Section::Version)) {
                starts.push((index, heading));
            }
        }
        let mut versions = Vec::with_capacity(starts.len());
        for (block, (start, heading)) in starts.iter().enumerate() {
            let end = starts.get(block + 1).map_or(lines.len(), |(next, _)| *next);
            versions.push(version(&lines[*start..end], heading)?);
        }
        if versions.is_empty() { Err(PageError::NoVersions) } else { Ok(Page { versions }) }
    }
}

fn version(lines: &[Line], heading: &(String, u32, Option<String>)) -> Result<PageVersion, PageError> {
    let line = lines.first().map_or(0, |line| line.number);
    let (name, since, domain) = heading;
    let mut version = PageVersion {
        id: OperatorId::new(domain.as_deref().unwrap_or_default(), name, *since),
        line,
        since: None,
        function: None,
        support: None,
        shape_inference: None,
        deprecated: None,
        attributes: None,
        inputs: None,
        outputs: None,
        types: None,
    };
    let is_section = |line: &Line| line.indent == 0 && section(&line.text).is_some();
    let mut rest = lines;
    while let Some(start) = rest.iter().position(is_section) {
        let opening = &rest[start];
        let after = &rest[start + 1..];
        let length = after.iter().position(is_section).unwrap_or(after.len());
        let body = &after[..length];
        let line = opening.number;
        let twice = |there: bool| {
            let message = format!("a second section `{}` in {name} - {since}", plain(&opening.text));
            if there { Err(error(line, message)) } else { Ok(()) }
        };
        match section(&opening.text) {
            Some(Section::Version) => properties(body, &mut version)?,
            Some(Section::Attributes) => {
                twice(version.attributes.is_some())?;
                version.attributes = Some(At { line, value: attributes(body, line)? });
            }
            Some(Section::Inputs) => {
                twice(version.inputs.is_some())?;
                version.inputs = Some(At { line, value: formals(body, line)? });
            }
            Some(Section::Outputs) => {
                twice(version.outputs.is_some())?;
                version.outputs = Some(At { line, value: formals(body, line)? });
            }
            Some(Section::Types) => {
                twice(version.types.is_some())?;
                version.types = Some(At { line, value: constraints(body, line)? });
            }
            Some(Section::Other) | None => {}
        }
        rest = &after[length..];
    }
    if version.since.is_none() {
        return Err(error(line, format!("the section `Version` of {name} - {since} has no `since_version`")));
    }
    Ok(version)
}

fn properties(body: &[Line], version: &mut PageVersion) -> Result<(), PageError> {
    for line in body {
        let text = plain(&line.text);
        if let Some(rest) = text.strip_prefix("This version of the operator has been ") {
            let deprecated = rest.split_whitespace().next().is_some_and(|word| word == "deprecated");
            version.deprecated = Some(At { line: line.number, value: deprecated });
        }
        let Some((key, value)) = bullet(&text).and_then(|text| text.split_once(':')) else { continue };
        let (key, value, line) = (key.trim(), value.trim(), line.number);
        match key {
            "domain" => {
                let domain = if value == "main" { "" } else { value };
                version.id = OperatorId::new(domain, &version.id.name, version.id.since);
            }
            "since_version" => {
                let since = value.parse().map_err(|_| error(line, format!("`{value}` is not a version")))?;
                version.since = Some(At { line, value: since });
            }
            "function" => version.function = truth(line, value)?,
            "shape inference" => version.shape_inference = truth(line, value)?,
            "support_level" if !value.is_empty() => {
                let support = value.rsplit_once('.').map_or(value, |(_, level)| level).to_lowercase();
                version.support = Some(At { line, value: support });
            }
            _ => {}
        }
    }
    Ok(())
}

/// Reads `True` or `False`. Returns `None` if the page gives no value.
fn truth(line: usize, value: &str) -> Result<Option<At<bool>>, PageError> {
    let value = match value {
        "True" => true,
        "False" => false,
        "" => return Ok(None),
        other => return Err(error(line, format!("found `{other}`, expected True or False"))),
    };
    Ok(Some(At { line, value }))
}

/// An item of a list, with the lines that belong to it.
struct Item<'a> {
    line: usize,
    /// The first line, without markup.
    text: String,
    /// The lines below the first.
    body: &'a [Line],
}

/// Returns the items of a section: the bullets that satisfy `is_item` and are indented at most as far as the first of
/// them. Other bullets belong to the text of an item, because descriptions contain lists.
fn items<'a>(body: &'a [Line], is_item: impl Fn(&str) -> bool) -> Vec<Item<'a>> {
    let text = |line: &Line| bullet(&line.text).map(plain).filter(|text| is_item(text));
    let Some(indent) = body.iter().find(|line| text(line).is_some()).map(|line| line.indent) else {
        return Vec::new();
    };
    let starts: Vec<(usize, String)> = body
        .iter()
        .enumerate()
        .filter_map(|(index, line)| Some((index, text(line).filter(|_| line.indent <= indent)?)))
        .collect();
    let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([body.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|((start, text), end)| Item { line: body[*start].number, text: text.clone(), body: &body[start + 1..end] })
        .collect()
}

fn formals(body: &[Line], line: usize) -> Result<PageFormals, PageError> {
    let mut result = PageFormals::default();
    for line in body {
        if let Some(captures) = COUNT.captures(&plain(&line.text)) {
            let number = |index: usize| {
                captures[index]
                    .parse()
                    .map_err(|_| error(line.number, format!("{} does not fit in 32 bits", &captures[index])))
            };
            result.count = Some(At { line: line.number, value: (number(1)?, number(2)?) });
            break;
        }
    }
    for item in items(body, |text| FORMAL.is_match(text)) {
        let Some(captures) = FORMAL.captures(&item.text) else { continue };
        result.formals.push(At { line: item.line, value: formal(item.line, &captures)? });
    }
    if result.formals.is_empty() {
        return Err(error(line, "this section lists nothing of the form `name (options) - type:`"));
    }
    Ok(result)
}

fn formal(line: usize, captures: &Captures) -> Result<PageFormal, PageError> {
    let mut option = FormalOption::Single;
    let mut homogeneous = false;
    let words = captures.get(2).map_or("", |words| words.as_str());
    for word in words.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        match word {
            "optional" => option = FormalOption::Optional,
            "variadic" => option = FormalOption::Variadic,
            // The generator prints this word if `is_homogeneous` is true; see the head of `page.rs`.
            "heterogeneous" => homogeneous = true,
            other => return Err(error(line, format!("`{other}` is not a known option of an input or output"))),
        }
    }
    Ok(PageFormal { name: captures[1].to_owned(), type_: captures[3].to_owned(), option, homogeneous })
}

fn attributes(body: &[Line], line: usize) -> Result<Vec<At<PageAttribute>>, PageError> {
    let mut result = Vec::new();
    for item in items(body, |text| ATTRIBUTE.is_match(text)) {
        let Some(captures) = ATTRIBUTE.captures(&item.text) else { continue };
        let kind = captures.get(2).map(|kind| kind.as_str().to_owned());
        let rest = captures.get(5).map_or("", |rest| rest.as_str());
        let mut attribute = PageAttribute {
            name: captures[1].to_owned(),
            // Pages that state the kind also state the default, if there is one.
            default: if kind.is_some() { PageDefault::None } else { PageDefault::Unknown },
            kind,
            required: captures.get(3).is_some(),
        };
        match captures.get(4) {
            Some(default) => attribute.default = PageDefault::Printed(default.as_str().to_owned()),
            None => old_default(rest, item.body, &mut attribute),
        }
        result.push(At { line: item.line, value: attribute });
    }
    if result.is_empty() {
        return Err(error(line, "this section lists nothing of the form `name - TYPE (default is ...):`"));
    }
    Ok(result)
}

/// Reads the default from an older page, where the description of an attribute ends with `Default value is ...`. In
/// place of the dots, the page has the default as protobuf prints it, or a `?`, which leaves open whether there is one.
fn old_default(first: &str, body: &[Line], attribute: &mut PageAttribute) {
    if attribute.kind.is_some() {
        return;
    }
    let mut text = first.to_owned();
    for line in body {
        text.push(' ');
        text.push_str(&plain(&line.text));
    }
    let Some(default) = OLD_DEFAULT.captures(text.trim()) else { return };
    let Some(kind) = OLD_KIND.captures(&default[1]) else { return };
    let values: Vec<&str> = OLD_VALUE
        .captures_iter(&default[1])
        .filter_map(|captures| captures.get(1).map(|value| value.as_str().trim_matches('"')))
        .collect();
    attribute.kind = Some(kind[1].to_owned());
    attribute.default = PageDefault::Printed(match kind[1].ends_with('S') {
        true => format!("[{}]", values.join(", ")),
        false => values.join(", "),
    });
}

fn constraints(body: &[Line], line: usize) -> Result<BTreeMap<String, At<Vec<String>>>, PageError> {
    let is_item = |text: &str| text.split_once('(').is_some_and(|(name, _)| CONSTRAINT.is_match(&format!("{name}(")));
    let mut result = BTreeMap::new();
    for item in items(body, is_item) {
        let name = item.text.split(' ').next().unwrap_or_default().to_owned();
        let mut text = item.text.clone();
        for line in item.body {
            if closed(&text).is_some() {
                break;
            }
            text.push(' ');
            text.push_str(&plain(&line.text));
        }
        let Some(inside) = closed(&text) else {
            return Err(error(item.line, format!("the types of {name} have no closing parenthesis")));
        };
        let types = split_types(inside);
        if types.is_empty() {
            return Err(error(item.line, format!("{name} has no types")));
        }
        if result.insert(name.clone(), At { line: item.line, value: types }).is_some() {
            return Err(error(item.line, format!("a second constraint of {name}")));
        }
    }
    if result.is_empty() {
        return Err(error(line, "this section lists nothing of the form `T in (...)`"));
    }
    Ok(result)
}

/// Returns the text inside the first pair of parentheses, or `None` if `text` does not have the closing one yet.
fn closed(text: &str) -> Option<&str> {
    let start = text.find('(')?;
    let mut depth = 0_usize;
    for (index, character) in text[start..].char_indices() {
        match character {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(&text[start + 1..start + index]),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Splits at commas, but not inside a type such as `map(string, float)`.
fn split_types(text: &str) -> Vec<String> {
    let mut types = vec![String::new()];
    let mut depth = 0_usize;
    for character in text.chars() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match types.last_mut() {
            Some(last) if character != ',' || depth > 0 => last.push(character),
            _ => types.push(String::new()),
        }
    }
    let types = types.iter().map(|type_| type_.split_whitespace().collect::<Vec<_>>().join(" "));
    types.filter(|type_| !type_.is_empty()).collect()
}
