//! `<Op>.rules.toml`: the rules of an operator. The onnx package does not have them as data.

// Over 400 lines: the entries of one kind of file, and every check of them.

use crate::error::{SpecError, line_at, parse_toml};
use crate::release::{ReleaseNumber, ReleaseRange};
use crate::version_range::VersionRange;
use serde::Deserialize;
use std::path::Path;
use toml::Spanned;

/// The handwritten rules of one operator.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rules {
    /// The family of the operator, by which reports group operators. `None` if its domain is one family.
    pub family: Option<String>,
    /// The conditions that a valid node and its inputs satisfy.
    pub constraints: Vec<Constraint>,
    /// Attributes that the schema calls optional and that every valid node gives.
    pub required: Vec<Required>,
    /// What happens in cases that the formula does not decide.
    pub behaviours: Vec<Behaviour>,
    /// The accuracy of each step.
    pub accuracy: Vec<Accuracy>,
}

/// The names that rules may use in one version of the operator.
pub struct Names<'a> {
    /// The version.
    pub since: u32,
    /// The names of its attributes.
    pub attributes: Vec<&'a str>,
    /// The names of its inputs.
    pub inputs: Vec<&'a str>,
}

/// A condition that a valid node and its inputs satisfy.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constraint {
    /// The name of the rule: `axis-in-range`. Kernels and negative recipes use it.
    #[serde(rename = "name")]
    pub label: String,
    /// The versions that the rule applies to.
    #[serde(default)]
    pub versions: VersionRange,
    /// The releases of ONNX whose texts have the rule.
    #[serde(default)]
    pub releases: ReleaseRange,
    /// The condition.
    pub text: String,
    /// The attributes and inputs that the condition is about. The search for a valid neighbour of an invalid case
    /// changes them first.
    #[serde(default)]
    pub about: Vec<String>,
    /// Where a violation is seen, if this does not follow from `about`: only `values` is written (see
    /// [`OperatorVersion::seen_in`](crate::OperatorVersion::seen_in)).
    #[serde(default)]
    pub seen_in: Option<SeenIn>,
    /// The place in ONNX that states the condition.
    pub source: String,
}

/// Where a violation of a constraint is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeenIn {
    /// In the model alone: in its attributes.
    Model,
    /// In types and shapes, or in values that decide the shape of an output or that are parameters, such as an axis: a
    /// backend reads them before a kernel runs.
    Shapes,
    /// Only in elements that a kernel reads when it runs, wherever it runs: indices, labels, probabilities, lengths of
    /// sequences.
    Values,
}

impl SeenIn {
    /// Returns the word for it: `model`, `shapes` or `values`.
    pub fn name(self) -> &'static str {
        match self {
            SeenIn::Model => "model",
            SeenIn::Shapes => "shapes",
            SeenIn::Values => "values",
        }
    }
}

/// Attributes that the schema calls optional, although no node without them is valid.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Required {
    /// The names of the attributes.
    pub attributes: Vec<String>,
    /// The versions in which they are required.
    #[serde(default)]
    pub versions: VersionRange,
    /// Why no valid node leaves them out.
    pub text: String,
}

/// What an operator does in a case that its formula does not decide.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Behaviour {
    /// The name of the rule: `signed-zero`. Kernels use it.
    #[serde(rename = "name")]
    pub label: String,
    /// The versions that the rule applies to.
    #[serde(default)]
    pub versions: VersionRange,
    /// The releases of ONNX whose texts have the rule.
    #[serde(default)]
    pub releases: ReleaseRange,
    /// The subject: `NaN`, `ties`, `overflow`, `empty`, `out-of-range`, `signed-zero`, ...
    pub subject: String,
    /// Whether the specification decides the behaviour.
    pub status: Status,
    /// What happens, or what the specification leaves open.
    pub text: String,
    /// The attributes and inputs that the rule is about, if it lets backends refuse a case.
    #[serde(default)]
    pub about: Vec<String>,
    /// The place of the sentence that decides the behaviour. If there is none, this says why nothing decides it: no
    /// description mentions the case, two contradict each other, or an issue is open.
    pub source: String,
    /// The allowed outcomes. The list is empty exactly if the specification decides.
    #[serde(default)]
    pub outcomes: Vec<String>,
    /// `false` says that no generated case leads there. A test checks this.
    #[serde(default = "yes")]
    pub drawn: bool,
    /// The line of the rule in the file, for messages.
    #[serde(skip)]
    pub line: usize,
}

fn yes() -> bool {
    true
}

/// Whether the specification decides a behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The specification says what happens.
    Defined,
    /// The specification says nothing, so every listed outcome is correct.
    Unspecified,
    /// The specification contradicts itself: its text, its shape inference, its published cases or its reference
    /// implementation disagree.
    Contradictory,
}

impl Status {
    /// Returns `defined`, `unspecified` or `contradictory`.
    pub fn name(self) -> &'static str {
        match self {
            Status::Defined => "defined",
            Status::Unspecified => "unspecified",
            Status::Contradictory => "contradictory",
        }
    }
}

/// The accuracy of one step of an operator.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accuracy {
    /// The versions that the rule applies to.
    #[serde(default)]
    pub versions: VersionRange,
    /// The name of a function of `specs/functions.toml`, or `sum`, `round`, `exact` or `distribution`.
    pub step: String,
    /// A remark on the step.
    #[serde(default)]
    pub text: Option<String>,
}

/// Names the texts that have a rule: `23..=24`, or `23..=24, releases ..1.23`.
fn texts(versions: VersionRange, releases: ReleaseRange) -> String {
    match releases == ReleaseRange::default() {
        true => versions.to_string(),
        false => format!("{versions}, releases {releases}"),
    }
}

impl Constraint {
    /// Names the texts that have the rule: the versions, and the releases if not all have it.
    pub fn texts(&self) -> String {
        texts(self.versions, self.releases)
    }

    /// Returns whether the rule applies to this version.
    pub fn applies_to(&self, since: u32) -> bool {
        self.versions.contains(since)
    }
}

/// The largest number of characters that the name of a rule may have.
const LONGEST_NAME: usize = 32;

/// The outcome that allows a backend to refuse the case.
const REFUSED: &str = "refused";

/// The start of the outcome that allows any value. A condition may follow it.
const ANY_VALUE: &str = "any value";

/// Other words for `refused` and `any value`. The loader rejects outcomes that start with them, because
/// [`Behaviour::lists_refusal`] and [`Behaviour::lists_any_value`] do not recognize them.
const OTHER_WORDS: [&str; 6] = ["anything", "any other value", "is refused", "a refusal", "rejected", "undefined"];

impl Behaviour {
    /// Names the texts that have the rule: the versions, and the releases if not all have it.
    pub fn texts(&self) -> String {
        texts(self.versions, self.releases)
    }

    /// Returns whether the rule applies to this version.
    pub fn applies_to(&self, since: u32) -> bool {
        self.versions.contains(since)
    }

    /// Returns whether the outcome `refused` is in the list.
    pub fn lists_refusal(&self) -> bool {
        self.outcomes.iter().any(|outcome| outcome == REFUSED)
    }

    /// Returns whether an outcome in the list starts with `any value`.
    pub fn lists_any_value(&self) -> bool {
        self.outcomes.iter().any(|outcome| outcome.starts_with(ANY_VALUE))
    }
}

impl Accuracy {
    /// Returns whether the rule applies to this version.
    pub fn applies_to(&self, since: u32) -> bool {
        self.versions.contains(since)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    family: Option<String>,
    #[serde(default)]
    constraint: Vec<Spanned<Constraint>>,
    #[serde(default)]
    required: Vec<Spanned<Required>>,
    #[serde(default)]
    behaviour: Vec<Spanned<Behaviour>>,
    #[serde(default)]
    accuracy: Vec<Spanned<Accuracy>>,
}

impl Rules {
    /// Returns whether every valid node of this version gives an attribute, although the schema calls it optional.
    pub fn requires(&self, attribute: &str, since: u32) -> bool {
        let applies = |required: &&Required| required.versions.contains(since);
        self.required.iter().filter(applies).any(|required| required.attributes.iter().any(|name| name == attribute))
    }

    /// Returns the constraint with this label in this version.
    pub fn constraint(&self, label: &str, since: u32) -> Option<&Constraint> {
        self.constraints.iter().find(|constraint| constraint.label == label && constraint.applies_to(since))
    }

    /// Returns whether a constraint with this label is seen only in values, in every version that has it.
    pub fn is_seen_in_values(&self, label: &str) -> bool {
        let mut same = self.constraints.iter().filter(|constraint| constraint.label == label).peekable();
        same.peek().is_some() && same.all(|constraint| constraint.seen_in == Some(SeenIn::Values))
    }

    /// Returns whether the text of a release has the rule with this label for this version.
    pub fn holds(&self, label: &str, since: u32, release: ReleaseNumber) -> bool {
        self.constraint(label, since).is_some_and(|constraint| constraint.releases.contains(release))
            || self.behaviour(label, since).is_some_and(|behaviour| behaviour.releases.contains(release))
    }

    /// Returns the behaviour with this label in this version.
    pub fn behaviour(&self, label: &str, since: u32) -> Option<&Behaviour> {
        self.behaviours.iter().find(|behaviour| behaviour.label == label && behaviour.applies_to(since))
    }

    /// Reads the text of a rules file. `file` is the path in error messages, and `versions` are those of the operator.
    ///
    /// # Errors
    /// Returns an error that names the line if the text is not TOML, a key is unknown or missing, a text is empty, a
    /// name or a range of versions is malformed, a rule is about something that is neither an attribute nor an input of
    /// a version that has the rule, a constraint that is seen in values is about no input, two rules of one version have the same name, a behaviour has the name of a
    /// constraint, a rule applies to no version, or outcomes are not written as required or do not fit `status` or
    /// `drawn`.
    pub fn parse(file: &Path, text: &str, versions: &[Names]) -> Result<Rules, SpecError> {
        let raw: File = parse_toml(file, text)?;
        let sinces: Vec<u32> = versions.iter().map(|names| names.since).collect();
        let check = Check { file, text, versions, sinces: &sinces };
        check.labels(&raw.constraint, |item| (&item.label, item.versions))?;
        check.labels(&raw.behaviour, |item| (&item.label, item.versions))?;
        let constraints: Vec<&str> = raw.constraint.iter().map(|item| item.as_ref().label.as_str()).collect();
        if let Some(item) = raw.behaviour.iter().find(|item| constraints.contains(&item.as_ref().label.as_str())) {
            return Err(check.error(item, format!("`{}` is already the name of a constraint", item.as_ref().label)));
        }
        for item in &raw.constraint {
            check.filled(item, &[&item.as_ref().text, &item.as_ref().source])?;
            check.about(item, &item.as_ref().about, item.as_ref().versions)?;
            check.seen_in(item)?;
        }
        for item in &raw.behaviour {
            let behaviour = item.as_ref();
            check.about(item, &behaviour.about, behaviour.versions)?;
            check.filled(item, &[&behaviour.text, &behaviour.source, &behaviour.subject])?;
            let decided = behaviour.status == Status::Defined;
            if decided != behaviour.outcomes.is_empty() {
                let why = if decided {
                    "has the status `defined`, so it must not have `outcomes`: its text says what happens"
                } else {
                    "does not have the status `defined`, so it needs `outcomes`, which say what is allowed"
                };
                let message = format!("{} {why}", behaviour.label);
                return Err(check.error(item, message));
            }
            if !behaviour.drawn && decided {
                let message =
                    format!("{}: a rule with the status `defined` cannot have `drawn = false`", behaviour.label);
                return Err(check.error(item, message));
            }
            if let Some(outcome) = behaviour.outcomes.iter().find(|o| OTHER_WORDS.iter().any(|w| o.starts_with(w))) {
                let message = format!(
                    "outcome `{outcome}`: write `{REFUSED}` for a refusal, and `{ANY_VALUE}` if every value is allowed"
                );
                return Err(check.error(item, message));
            }
        }
        for item in &raw.required {
            check.applies(item, &item.as_ref().text, item.as_ref().versions)?;
            check.filled(item, &[&item.as_ref().text])?;
            check.filled(item, &item.as_ref().attributes.iter().collect::<Vec<_>>())?;
        }
        for item in &raw.accuracy {
            check.applies(item, &item.as_ref().step, item.as_ref().versions)?;
            check.filled(item, &[&item.as_ref().step])?;
        }
        fn values<T>(items: Vec<Spanned<T>>) -> Vec<T> {
            items.into_iter().map(Spanned::into_inner).collect()
        }
        let mut behaviours = Vec::with_capacity(raw.behaviour.len());
        // The line of the previous rule, and the offset of its first byte.
        let (mut line, mut before) = (1, 0);
        for item in raw.behaviour {
            let start = item.span().start;
            line += line_at(text.get(before..start).unwrap_or_default(), start) - 1;
            before = start;
            behaviours.push(Behaviour { line, ..item.into_inner() });
        }
        Ok(Rules {
            family: raw.family,
            constraints: values(raw.constraint),
            required: values(raw.required),
            behaviours,
            accuracy: values(raw.accuracy),
        })
    }
}

struct Check<'a> {
    file: &'a Path,
    text: &'a str,
    versions: &'a [Names<'a>],
    sinces: &'a [u32],
}

impl Check<'_> {
    fn error<T>(&self, item: &Spanned<T>, message: impl Into<String>) -> SpecError {
        SpecError::data(self.file, line_at(self.text, item.span().start), message)
    }

    fn applies<T>(&self, item: &Spanned<T>, entry: &str, versions: VersionRange) -> Result<(), SpecError> {
        if self.sinces.iter().any(|&since| versions.contains(since)) {
            return Ok(());
        }
        let message = format!("`{entry}` is for versions {versions}, but the operator has only {:?}", self.sinces);
        Err(self.error(item, message))
    }

    /// Checks that each name in `about` is an attribute or input of a version that has the rule.
    fn about<T>(&self, item: &Spanned<T>, about: &[String], versions: VersionRange) -> Result<(), SpecError> {
        let of_rule = || self.versions.iter().filter(|names| versions.contains(names.since));
        let is_known = |name: &String| {
            of_rule().any(|names| names.attributes.contains(&&**name) || names.inputs.contains(&&**name))
        };
        match about.iter().find(|name| !is_known(name)) {
            Some(name) => {
                let message = format!("`about` names `{name}`, which is no attribute or input of versions {versions}");
                Err(self.error(item, message))
            }
            None => Ok(()),
        }
    }

    /// Checks that `seen_in` is written only where a constraint is about elements of an input.
    fn seen_in(&self, item: &Spanned<Constraint>) -> Result<(), SpecError> {
        let Constraint { label, versions, about, seen_in, .. } = item.as_ref();
        let of_rule = || self.versions.iter().filter(|names| versions.contains(names.since));
        let has_input = about.iter().any(|name| of_rule().any(|names| names.inputs.contains(&&**name)));
        let message = match seen_in {
            None => return Ok(()),
            Some(SeenIn::Values) if has_input => return Ok(()),
            Some(SeenIn::Values) => {
                format!("{label}: a constraint that is seen in `values` has to be `about` an input")
            }
            Some(other) => format!(
                "{label}: `seen_in` can only be `values`; that a constraint is seen in `{}` follows from `about`",
                other.name()
            ),
        };
        Err(self.error(item, message))
    }

    fn filled<T>(&self, item: &Spanned<T>, texts: &[&String]) -> Result<(), SpecError> {
        if texts.iter().any(|text| text.trim().is_empty()) {
            return Err(self.error(item, "this entry has an empty text"));
        }
        Ok(())
    }

    /// Checks that names are words in lower case, joined by hyphens, and not too long, that each rule applies to a
    /// version, and that each name is unique in every version.
    fn labels<T>(&self, items: &[Spanned<T>], label: impl Fn(&T) -> (&String, VersionRange)) -> Result<(), SpecError> {
        for (index, item) in items.iter().enumerate() {
            let (name, versions) = label(item.as_ref());
            let is_word = |word: &str| {
                !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
            };
            let begins = name.starts_with(|c: char| c.is_ascii_lowercase());
            if !begins || name.len() > LONGEST_NAME || !name.split('-').all(is_word) {
                let message = format!(
                    "`{name}` is not a valid name of a rule: write words in lower case, joined by hyphens, at most \
                     {LONGEST_NAME} characters, such as `axis-in-range`"
                );
                return Err(self.error(item, message));
            }
            self.applies(item, name, versions)?;
            let twin = items[..index].iter().find(|other| {
                let (other_name, other_versions) = label(other.as_ref());
                other_name == name && other_versions.overlaps(versions, self.sinces)
            });
            if twin.is_some() {
                return Err(self.error(item, format!("a second `{name}` for the same version")));
            }
        }
        Ok(())
    }
}
