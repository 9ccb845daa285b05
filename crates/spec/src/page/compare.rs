//! Compares a page with `specs/`.

use super::{At, Page, PageAttribute, PageDefault, PageFormals, PageVersion};
use crate::id::OperatorId;
use crate::load::Spec;
use crate::operator::{Attribute, AttributeValue, Formal, OperatorVersion, Support};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The result of comparing a page with `specs/`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Comparison {
    /// The versions that were compared, in the order of the page: `Min-13`. For a page of DirectML, the operators.
    pub compared: Vec<String>,
    /// The facts in which the page and `specs/` disagree, by line of the page.
    pub disagreements: Vec<Disagreement>,
    /// The versions of the page's operators that `specs/` has and the page does not have. This is not a disagreement,
    /// because the page of an older release of ONNX does not have the newer versions.
    pub not_on_page: Vec<String>,
}

/// One fact in which the page and `specs/` disagree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Disagreement {
    /// The line number of the page, from 1.
    pub line: usize,
    /// The operator version, or the operator of DirectML.
    pub version: String,
    /// The name of the fact.
    pub fact: String,
    /// What the page says, or `None` if it does not have the item.
    pub page: Option<String>,
    /// What `specs/` says, or `None` if it does not have the item.
    pub specs: Option<String>,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
        let (page, specs) = (show(&self.page), show(&self.specs));
        write!(f, "{}: {}: {}: {page} on the page, {specs} in specs", self.line, self.version, self.fact)
    }
}

impl Page {
    /// Compares the page with `spec`.
    pub fn compare(&self, spec: &Spec) -> Comparison {
        let mut result = Comparison::default();
        let mut seen = BTreeSet::new();
        for page in &self.versions {
            result.compared.push(page.id.to_string());
            let mut facts = Facts { version: page.id.to_string(), found: &mut result.disagreements };
            if !seen.insert(page.id.clone()) {
                facts.add(page.line, "blocks", Some("a second block".to_owned()), Some("one version".to_owned()));
                continue;
            }
            match spec.version(&page.id) {
                Some(version) => facts.version(page, version),
                None => facts.add(page.line, "exists", Some("yes".to_owned()), None),
            }
        }
        let operators: BTreeSet<(&str, &str)> = seen.iter().map(|id| (id.domain.as_str(), id.name.as_str())).collect();
        for operator in operators.iter().filter_map(|(domain, name)| spec.operator(domain, name)) {
            let missing = operator.versions.iter().map(|version| &version.id).filter(|id| !seen.contains(id));
            result.not_on_page.extend(missing.map(OperatorId::to_string));
        }
        result.disagreements.sort_by_key(|disagreement| disagreement.line);
        result
    }
}

struct Facts<'a> {
    version: String,
    found: &'a mut Vec<Disagreement>,
}

impl Facts<'_> {
    fn add(&mut self, line: usize, fact: impl Into<String>, page: Option<String>, specs: Option<String>) {
        self.found.push(Disagreement { line, version: self.version.clone(), fact: fact.into(), page, specs });
    }

    /// Compares a fact that the page may leave out.
    fn compare<T: PartialEq + ToString>(&mut self, fact: &str, page: &Option<At<T>>, specs: T) {
        if let Some(At { line, value }) = page
            && *value != specs
        {
            self.add(*line, fact, Some(value.to_string()), Some(specs.to_string()));
        }
    }

    fn version(&mut self, page: &PageVersion, version: &OperatorVersion) {
        self.compare("since_version", &page.since, version.since);
        self.compare("function", &page.function, version.function);
        self.compare("shape inference", &page.shape_inference, version.shape_inference);
        self.compare("deprecated", &page.deprecated, version.deprecated);
        let support = match version.support {
            Support::Common => "common",
            Support::Experimental => "experimental",
        };
        self.compare("support_level", &page.support, support.to_owned());
        self.attributes(page, &version.attributes);
        let inputs = (version.min_inputs, version.max_inputs);
        self.formals("input", page.line, &page.inputs, inputs, &version.inputs);
        let outputs = (version.min_outputs, version.max_outputs);
        self.formals("output", page.line, &page.outputs, outputs, &version.outputs);
        self.types(page, version);
    }

    fn attributes(&mut self, page: &PageVersion, specs: &[Attribute]) {
        let none = Vec::new();
        let (line, attributes) = match &page.attributes {
            Some(section) => (section.line, &section.value),
            None => (page.line, &none),
        };
        for At { line, value: attribute } in attributes {
            let fact = |what: &str| format!("attribute {}{what}", attribute.name);
            let Some(specs) = specs.iter().find(|specs| specs.name == attribute.name) else {
                self.add(*line, fact(""), Some("present".to_owned()), None);
                continue;
            };
            if let Some(kind) = &attribute.kind
                && kind != specs.kind.name()
            {
                self.add(*line, fact(" type"), Some(kind.clone()), Some(specs.kind.to_string()));
            }
            if attribute.required != specs.required {
                self.add(
                    *line,
                    fact(" required"),
                    Some(attribute.required.to_string()),
                    Some(specs.required.to_string()),
                );
            }
            if !same_default(attribute, specs) {
                let printed = match &attribute.default {
                    PageDefault::Printed(text) => Some(text.clone()),
                    PageDefault::None | PageDefault::Unknown => None,
                };
                self.add(*line, fact(" default"), printed, specs.default.as_ref().map(ToString::to_string));
            }
        }
        self.names(
            "attribute",
            line,
            names(attributes, |item| &item.name),
            specs.iter().map(|item| item.name.as_str()),
        );
    }

    fn formals(
        &mut self,
        what: &str,
        line: usize,
        section: &Option<At<PageFormals>>,
        (min, max): (u32, u32),
        specs: &[Formal],
    ) {
        let none = PageFormals::default();
        let (line, page) = match section {
            Some(section) => (section.line, &section.value),
            None => (line, &none),
        };
        match &page.count {
            Some(At { line, value: (least, most) }) if (*least, *most) != (min, max) => {
                let text = |least: u32, most: u32| Some(format!("{least} to {most}"));
                self.add(*line, format!("number of {what}s"), text(*least, *most), text(min, max));
            }
            None if section.is_some() && min != max => {
                let fact = format!("number of {what}s");
                self.add(line, fact, Some("a single number".to_owned()), Some(format!("{min} to {max}")));
            }
            _ => {}
        }
        for (index, At { line, value: formal }) in page.formals.iter().enumerate() {
            let fact = |field: &str| format!("{what} {}{field}", formal.name);
            let Some(place) = specs.iter().position(|specs| specs.name == formal.name) else {
                self.add(*line, fact(""), Some("present".to_owned()), None);
                continue;
            };
            let specs = &specs[place];
            if index != place {
                self.add(*line, fact(" position"), Some(index.to_string()), Some(place.to_string()));
            }
            if formal.type_ != specs.type_ {
                self.add(*line, fact(" type"), Some(formal.type_.clone()), Some(specs.type_.clone()));
            }
            if formal.option != specs.option {
                let name = |option: crate::FormalOption| Some(option.name().to_owned());
                self.add(*line, fact(" option"), name(formal.option), name(specs.option));
            }
            if formal.homogeneous != specs.homogeneous {
                let (page, specs) = (formal.homogeneous.to_string(), specs.homogeneous.to_string());
                self.add(*line, fact(" homogeneous (printed as `heterogeneous`)"), Some(page), Some(specs));
            }
        }
        self.names(what, line, names(&page.formals, |item| &item.name), specs.iter().map(|item| item.name.as_str()));
    }

    fn types(&mut self, page: &PageVersion, version: &OperatorVersion) {
        let none = BTreeMap::new();
        let (line, types) = match &page.types {
            Some(section) => (section.line, &section.value),
            None => (page.line, &none),
        };
        for (variable, At { line, value: types }) in types {
            let Some(specs) = version.types.get(variable) else {
                self.add(*line, format!("type variable {variable}"), Some("present".to_owned()), None);
                continue;
            };
            let page: BTreeSet<String> = types.iter().map(|type_| canonical(type_)).collect();
            let specs: BTreeSet<String> = specs.iter().map(ToString::to_string).collect();
            let difference = |a: &BTreeSet<String>, b: &BTreeSet<String>| {
                let types: Vec<&str> = a.difference(b).map(String::as_str).collect();
                (!types.is_empty()).then(|| types.join(", "))
            };
            if page != specs {
                let (only_page, only_specs) = (difference(&page, &specs), difference(&specs, &page));
                self.add(*line, format!("types of {variable}, those that differ"), only_page, only_specs);
            }
        }
        let page_names = types.keys().map(String::as_str).collect();
        self.names("type variable", line, page_names, version.types.keys().map(String::as_str));
    }

    /// Reports names that `specs/` has and the page does not have.
    fn names<'a>(&mut self, what: &str, line: usize, page: BTreeSet<&str>, specs: impl Iterator<Item = &'a str>) {
        for name in specs.filter(|name| !page.contains(name)) {
            self.add(line, format!("{what} {name}"), None, Some("present".to_owned()));
        }
    }
}

fn names<T>(items: &[At<T>], name: impl Fn(&T) -> &String) -> BTreeSet<&str> {
    items.iter().map(|item| name(&item.value).as_str()).collect()
}

/// Returns a type with one space after each comma, as ONNX writes it.
fn canonical(type_: &str) -> String {
    type_.split(',').map(str::trim).collect::<Vec<_>>().join(", ")
}

/// A little more than half a unit of the last digit of a printed float. Pages print five digits after the point.
const PRINTED_DIGITS: f64 = 0.5001e-5;

/// Returns whether the default on the page agrees with that in `specs/`, apart from the rounding of floats. If the page
/// does not say whether there is a default, this counts as agreement.
fn same_default(page: &PageAttribute, specs: &Attribute) -> bool {
    let text = match (&page.default, &specs.default) {
        (PageDefault::Unknown, _) | (PageDefault::None, None) => return true,
        (PageDefault::Printed(text), Some(_)) => text,
        _ => return false,
    };
    let same_float = |text: &str, value: f32| {
        let value = f64::from(value);
        text.parse::<f64>().is_ok_and(|printed| (printed - value).abs() <= PRINTED_DIGITS.max(value.abs() * 1e-6))
    };
    let scalar = unquote(text);
    let list: Vec<&str> = scalar
        .trim_start_matches('[')
        .trim_end_matches(']')
        .split(',')
        .map(unquote)
        .filter(|item| !item.is_empty())
        .collect();
    let same_list = |count: usize| scalar.starts_with('[') && list.len() == count;
    match &specs.default {
        Some(AttributeValue::Float(value)) => same_float(scalar, *value),
        Some(AttributeValue::Int(value)) => scalar.parse() == Ok(*value),
        Some(AttributeValue::String(value)) => scalar == value.trim(),
        Some(AttributeValue::Floats(values)) => {
            same_list(values.len()) && list.iter().zip(values).all(|(text, value)| same_float(text, *value))
        }
        Some(AttributeValue::Ints(values)) => {
            same_list(values.len()) && list.iter().zip(values).all(|(text, value)| text.parse() == Ok(*value))
        }
        Some(AttributeValue::Strings(values)) => same_list(values.len()) && list == *values,
        Some(AttributeValue::Tensor(_)) | None => true,
    }
}

/// Removes spaces, quotes, and the parentheses around long numbers from a printed value.
fn unquote(text: &str) -> &str {
    let text = text.trim().trim_matches(['\'', '"']).trim();
    text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text)
}
