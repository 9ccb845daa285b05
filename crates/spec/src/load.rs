//! Reads `specs/onnx`. Unknown keys, duplicates and versions out of order are errors that name file and line.

use crate::domain::Domain;
use crate::embedded;
use crate::error::{SpecError, line_at};
use crate::id::{OperatorId, canonical_domain};
use crate::operator::{
    Attribute, AttributeKind, AttributeValue, Determinism, Formal, Operator, OperatorVersion, Support,
};
use crate::rules_file::{Names, Rules};
use crate::types::TypeStr;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// All operators, sorted by domain and name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spec {
    operators: BTreeMap<(String, String), Operator>,
}

/// The files beside the folders of domains, which describe no operator: the errors in ONNX's published cases, what
/// releases added, and the domains.
const OTHER_FILES: [&str; 3] = ["suite-errata.toml", "releases.toml", "domains.toml"];

static SPEC: OnceLock<Result<Spec, SpecError>> = OnceLock::new();

impl Spec {
    /// Returns the specifications that this program was built with.
    pub fn embedded() -> &'static Spec {
        // A test loads the embedded files, so they are valid in every build that passed its tests.
        Spec::try_embedded().expect("the embedded specifications are valid")
    }

    /// Returns the specifications that this program was built with. A program that may have been built with edited
    /// files uses this instead of [`Spec::embedded`].
    ///
    /// # Errors
    /// Returns what is wrong, with file and line.
    pub fn try_embedded() -> Result<&'static Spec, &'static SpecError> {
        // Files beside the folders of domains do not describe operators.
        let files =
            || embedded::below(&plumbline_spec_data::FOLDER, "onnx").into_iter().filter(|(p, _)| p.contains('/'));
        let file = |(path, file)| (Path::new("specs/onnx").join::<String>(path), embedded::as_text(file));
        SPEC.get_or_init(|| Spec::from_files(files().map(file))).as_ref()
    }

    /// Uses other specifications in this process in place of those that this program was built with. Returns false if
    /// those have been used already. For tests.
    #[doc(hidden)]
    pub fn replace_embedded(spec: Spec) -> bool {
        SPEC.set(Ok(spec)).is_ok()
    }

    /// Reads a folder of the form of `specs/onnx`: `<domain>/<Op>.json` and `<domain>/<Op>.rules.toml`.
    ///
    /// # Errors
    /// Returns an error if a file or folder cannot be read, or if a file is wrong; the error names file and line.
    pub fn load(dir: &Path) -> Result<Spec, SpecError> {
        let mut files = Vec::new();
        for domain in read_dir(dir)? {
            if OTHER_FILES.iter().any(|file| domain.ends_with(file)) {
                continue;
            }
            if domain.is_dir() {
                files.extend(read_dir(&domain)?.into_iter().filter(|path| path.is_file()));
            } else {
                return Err(SpecError::data(domain, 1, "expected only folders, one for each domain"));
            }
        }
        let mut texts = Vec::with_capacity(files.len());
        for path in files {
            let text =
                std::fs::read_to_string(&path).map_err(|source| SpecError::Read { path: path.clone(), source })?;
            texts.push((path, text));
        }
        Spec::from_files(texts.iter().map(|(path, text)| (path.clone(), text.as_str())))
    }

    fn from_files<'a>(files: impl Iterator<Item = (PathBuf, &'a str)>) -> Result<Spec, SpecError> {
        let mut spec = Spec::default();
        let mut rules = Vec::new();
        for (path, text) in files {
            let file_name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
            let folder = path.parent().and_then(Path::file_name).and_then(|name| name.to_str()).unwrap_or_default();
            let domain = folder.to_owned();
            if let Some(name) = file_name.strip_suffix(".rules.toml") {
                rules.push((domain, name.to_owned(), path, text));
            } else if let Some(name) = file_name.strip_suffix(".json") {
                let operator = parse_operator(&path, text)?;
                if operator.domain != domain || operator.name != name {
                    let found = format!("{}/{}", operator.domain, operator.name);
                    let message = format!("describes {found}; that belongs in {found}.json");
                    return Err(SpecError::data(path, 1, message));
                }
                spec.operators.insert((domain, operator.name.clone()), operator);
            } else {
                let message = "expected facts (<Op>.json) or rules (<Op>.rules.toml)";
                return Err(SpecError::data(path, 1, message));
            }
        }
        for (domain, name, path, text) in rules {
            let Some(operator) = spec.operators.get_mut(&(domain, name)) else {
                return Err(SpecError::data(path, 1, "the facts of this operator (<Op>.json) are not in this folder"));
            };
            let versions: Vec<Names> = operator.versions.iter().map(OperatorVersion::names).collect();
            let rules = Rules::parse(&path, text, &versions)?;
            if let Some(domain) = Domain::find(&operator.domain) {
                let check = domain.check_family(rules.family.as_deref());
                check.map_err(|message| SpecError::data(&path, 1, message))?;
            }
            operator.rules = Some(rules);
        }
        Ok(spec)
    }

    /// Returns all operators, sorted by domain and name.
    pub fn operators(&self) -> impl Iterator<Item = &Operator> {
        self.operators.values()
    }

    /// Returns all operator versions, sorted by domain, name and version.
    pub fn versions(&self) -> impl Iterator<Item = &OperatorVersion> {
        self.operators().flat_map(|operator| &operator.versions)
    }

    /// Returns the operator with this name. `""` and `"ai.onnx"` are the same domain.
    pub fn operator(&self, domain: &str, name: &str) -> Option<&Operator> {
        self.operators.get(&(canonical_domain(domain).to_owned(), name.to_owned()))
    }

    /// Returns the operator version with this id.
    pub fn version(&self, id: &OperatorId) -> Option<&OperatorVersion> {
        self.operator(&id.domain, &id.name)?.version(id.since)
    }

    /// Returns the newest version with `since <= opset`, deprecated or not.
    pub fn resolve(&self, domain: &str, name: &str, opset: i64) -> Option<&OperatorVersion> {
        self.operator(domain, name)?.resolve(opset)
    }
}

/// Returns the entries of a folder, sorted. Ignores names that start with a dot.
pub(crate) fn read_dir(dir: &Path) -> Result<Vec<PathBuf>, SpecError> {
    let error = |source| SpecError::Read { path: dir.to_owned(), source };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(error)? {
        let path = entry.map_err(error)?.path();
        if !path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".")) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawOperator<'a> {
    domain: String,
    name: String,
    #[serde(borrow)]
    versions: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawVersion<'a> {
    since: u32,
    deprecated: bool,
    support: Support,
    function: bool,
    shape_inference: bool,
    deterministic: Determinism,
    min_inputs: u32,
    max_inputs: u32,
    min_outputs: u32,
    max_outputs: u32,
    #[serde(borrow)]
    attributes: Vec<&'a RawValue>,
    #[serde(borrow)]
    inputs: Vec<&'a RawValue>,
    #[serde(borrow)]
    outputs: Vec<&'a RawValue>,
    #[serde(deserialize_with = "unique_keys")]
    types: BTreeMap<String, Vec<TypeStr>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAttribute {
    name: String,
    #[serde(rename = "type")]
    kind: AttributeKind,
    required: bool,
    /// The default value, or `null`. The key is always present.
    #[serde(deserialize_with = "serde_json::Value::deserialize")]
    default: serde_json::Value,
}

/// A file that is being read. Turns places in its text into line numbers.
struct Source<'a> {
    file: &'a Path,
    text: &'a str,
}

impl<'a> Source<'a> {
    /// Returns the line in which a piece of the text starts.
    fn line(&self, piece: &str) -> usize {
        let offset = (piece.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        line_at(self.text, offset)
    }

    fn error(&self, piece: &str, message: impl Into<String>) -> SpecError {
        SpecError::data(self.file, self.line(piece), message)
    }

    fn parse<T: Deserialize<'a>>(&self, piece: &'a str) -> Result<T, SpecError> {
        serde_json::from_str(piece).map_err(|error| {
            let line = self.line(piece) + error.line().saturating_sub(1);
            let text = error.to_string();
            // Cuts off the position that serde_json appends, because it counts from the start of the piece.
            let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message);
            SpecError::data(self.file, line, message)
        })
    }
}

/// Reads the text of an `<Op>.json`. `file` is the path in error messages.
pub(crate) fn parse_operator(file: &Path, text: &str) -> Result<Operator, SpecError> {
    let source = Source { file, text };
    let raw: RawOperator = source.parse(text)?;
    if raw.domain.is_empty() || raw.name.is_empty() {
        return Err(SpecError::data(file, 1, "domain and name must not be empty; ONNX's own domain is \"ai.onnx\""));
    }
    let mut versions: Vec<OperatorVersion> = Vec::with_capacity(raw.versions.len());
    for piece in raw.versions {
        let version = parse_version(&source, piece.get(), &raw.domain, &raw.name)?;
        if let Some(last) = versions.last()
            && last.since >= version.since
        {
            let message = format!("version {} follows version {}, but versions must ascend", version.since, last.since);
            return Err(source.error(piece.get(), message));
        }
        versions.push(version);
    }
    if versions.is_empty() {
        return Err(SpecError::data(file, 1, "an operator needs at least one version"));
    }
    Ok(Operator { domain: raw.domain, name: raw.name, versions, rules: None })
}

fn parse_version<'a>(
    source: &Source<'a>,
    piece: &'a str,
    domain: &str,
    name: &str,
) -> Result<OperatorVersion, SpecError> {
    let raw: RawVersion = source.parse(piece)?;
    if raw.min_inputs > raw.max_inputs || raw.min_outputs > raw.max_outputs {
        return Err(source.error(piece, "`min_inputs` is above `max_inputs`, or `min_outputs` above `max_outputs`"));
    }
    for (variable, types) in &raw.types {
        if types.is_empty() || types.iter().collect::<BTreeSet<_>>().len() != types.len() {
            let message = format!("type variable `{variable}` has no type, or has a type twice");
            return Err(source.error(piece, message));
        }
    }
    let formal = |piece: &'a str| {
        let formal: Formal = source.parse(piece)?;
        if !raw.types.contains_key(&formal.type_) && formal.type_.parse::<TypeStr>().is_err() {
            let message = format!("`{}` is neither a type variable of this version nor a type", formal.type_);
            return Err(source.error(piece, message));
        }
        Ok(formal)
    };
    let attributes = named(source, &raw.attributes, |piece| parse_attribute(source, piece), |item| &item.name)?;
    let inputs = named(source, &raw.inputs, formal, |item| &item.name)?;
    let outputs = named(source, &raw.outputs, formal, |item| &item.name)?;
    Ok(OperatorVersion {
        id: OperatorId::new(domain, name, raw.since),
        since: raw.since,
        deprecated: raw.deprecated,
        support: raw.support,
        function: raw.function,
        shape_inference: raw.shape_inference,
        deterministic: raw.deterministic,
        min_inputs: raw.min_inputs,
        max_inputs: raw.max_inputs,
        min_outputs: raw.min_outputs,
        max_outputs: raw.max_outputs,
        attributes,
        inputs,
        outputs,
        types: raw.types,
    })
}

/// Reads a list of named items and rejects a name that occurs twice.
fn named<'a, T>(
    source: &Source<'a>,
    pieces: &[&'a RawValue],
    parse: impl Fn(&'a str) -> Result<T, SpecError>,
    name: impl Fn(&T) -> &String,
) -> Result<Vec<T>, SpecError> {
    let mut items: Vec<T> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let item = parse(piece.get())?;
        if items.iter().any(|other| name(other) == name(&item)) {
            return Err(source.error(piece.get(), format!("a second `{}`", name(&item))));
        }
        items.push(item);
    }
    Ok(items)
}

fn parse_attribute<'a>(source: &Source<'a>, piece: &'a str) -> Result<Attribute, SpecError> {
    let raw: RawAttribute = source.parse(piece)?;
    let default = match raw.default {
        serde_json::Value::Null => None,
        value => {
            let message = || format!("the default {value} of `{}` is not of type {}", raw.name, raw.kind);
            Some(parse_default(raw.kind, value.clone()).ok_or_else(|| source.error(piece, message()))?)
        }
    };
    Ok(Attribute { name: raw.name, kind: raw.kind, required: raw.required, default })
}

fn parse_default(kind: AttributeKind, value: serde_json::Value) -> Option<AttributeValue> {
    use serde_json::from_value;
    match kind {
        // The files hold the exact decimal value of a float32, so parsing it as f64 loses nothing.
        AttributeKind::Float => value.as_f64().map(|value| AttributeValue::Float(value as f32)),
        AttributeKind::Floats => {
            let values: Vec<f64> = from_value(value).ok()?;
            Some(AttributeValue::Floats(values.into_iter().map(|value| value as f32).collect()))
        }
        AttributeKind::Int => value.as_i64().map(AttributeValue::Int),
        AttributeKind::String => from_value(value).ok().map(AttributeValue::String),
        AttributeKind::Ints => from_value(value).ok().map(AttributeValue::Ints),
        AttributeKind::Strings => from_value(value).ok().map(AttributeValue::Strings),
        AttributeKind::Tensor => Some(AttributeValue::Tensor(value)),
        _ => None,
    }
}

/// Deserializes a map and rejects a key that occurs twice.
fn unique_keys<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, Vec<TypeStr>>, D::Error> {
    struct Visitor;
    impl<'de> serde::de::Visitor<'de> for Visitor {
        type Value = BTreeMap<String, Vec<TypeStr>>;

        fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
            f.write_str("a map from type variables to lists of types")
        }

        fn visit_map<A: serde::de::MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
            let mut map = BTreeMap::new();
            while let Some(key) = access.next_key::<String>()? {
                if map.contains_key(&key) {
                    return Err(serde::de::Error::custom(format!("a second type variable `{key}`")));
                }
                map.insert(key, access.next_value()?);
            }
            Ok(map)
        }
    }
    deserializer.deserialize_map(Visitor)
}
