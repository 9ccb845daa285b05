//! Patterns: small graphs that optimizers look for, written in ONNX's text syntax with holes (`generators/patterns`).
//!
//! A file has one pattern after the other. A line begins with a word:
//!
//! ```text
//! pattern matmul-add                       a new pattern and its name
//! opset 13..25                             the opsets in which it is drawn; 7.. if there is no such line
//! import com.microsoft 1                   an opset of another domain
//! hole T = float | double                  a hole with its options
//! hole C = [$n] | !bias-of-two-rows [2,$n] options that break what an optimizer has to check, each with a name
//! hole sq = @..12 y = Squeeze <axes = [0]> (x) | @13.. y = Squeeze (x, axes)     options of some opsets only
//! input x $T[$m,4] any                     comes at run time
//! weight w $T[4,$n] -2..2                  is an initializer
//! value c $T$C                             is either
//! weight axes int64[1] = {0}               has these elements
//! node y = MatMul (x, w)                   nodes; several are separated by semicolons
//! fused y = MatMul (x, w)                  nodes that compute the same, of a canonical form only
//! ```
//!
//! `$name` stands for what was drawn for the hole of this name. What no node reads is an output. Elements are `any`,
//! `finite`, `moderate` (the default), `integers`, or between two bounds.

use std::ops::RangeInclusive;
use std::sync::OnceLock;

use plumbline_generator::Values;

use super::OLDEST_OPSET;

/// What is wrong in a file of patterns.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {reason}")]
pub struct PatternError {
    /// The name of the file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

/// A small graph with holes.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// The name; no two patterns have the same.
    pub name: String,
    /// The first and the last opset in which it is drawn.
    pub(super) opsets: (u32, u32),
    /// Imports besides that of `ai.onnx`: domain and version.
    pub(super) imports: Vec<(String, u32)>,
    pub(super) holes: Vec<Hole>,
    pub(super) tensors: Vec<PatternTensor>,
    /// The nodes, with holes.
    pub(super) nodes: Vec<String>,
    /// Other nodes that compute the same outputs, with holes; empty if there are none.
    pub(super) fused: Vec<String>,
    pub(super) file: String,
    pub(super) line: usize,
}

/// A place that is filled with one of several texts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hole {
    pub name: String,
    pub options: Vec<Choice>,
}

/// A text that may fill a hole.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Choice {
    /// The name of what the option breaks; `None` if it breaks nothing.
    pub breaks: Option<String>,
    pub opsets: (u32, u32),
    pub text: String,
}

/// Where a tensor of a pattern comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    RunTime,
    Constant,
    Either,
}

/// A tensor that a pattern is given.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PatternTensor {
    pub place: Place,
    pub name: String,
    /// Its type with its shape, with holes: `$T[$m,4]`.
    pub type_: String,
    /// Its elements, with holes: `any`, `-2..2`, `= {0}`.
    pub elements: String,
    pub line: usize,
}

impl Choice {
    pub fn is_of(&self, opset: u32) -> bool {
        (self.opsets.0..=self.opsets.1).contains(&opset)
    }
}

impl Pattern {
    /// Returns the patterns that this program was built with.
    pub fn all() -> &'static [Pattern] {
        static ALL: OnceLock<Vec<Pattern>> = OnceLock::new();
        ALL.get_or_init(|| Pattern::embedded().expect("a test checks that generators/patterns is valid"))
    }

    /// Returns the pattern of this name.
    pub fn find(name: &str) -> Option<&'static Pattern> {
        Pattern::all().iter().find(|pattern| pattern.name == name)
    }

    /// Reads the patterns that this program was built with.
    ///
    /// # Errors
    /// Names the file and the line of what is wrong.
    pub fn embedded() -> Result<Vec<Pattern>, PatternError> {
        Pattern::below("patterns")
    }

    /// Reads the patterns in a folder of the generator's data.
    pub(super) fn below(folder: &str) -> Result<Vec<Pattern>, PatternError> {
        let files = plumbline_spec::embedded::below(&plumbline_generator::FOLDER, folder);
        let mut all: Vec<Pattern> = Vec::new();
        for (file, text) in files {
            let text = text.contents_utf8().unwrap_or_default();
            for pattern in parse(&file, text)? {
                if all.iter().any(|other| other.name == pattern.name) {
                    let reason = format!("there is another pattern `{}`", pattern.name);
                    return Err(PatternError { file, line: pattern.line, reason });
                }
                all.push(pattern);
            }
        }
        Ok(all)
    }

    /// Returns the names of what its options can break, in an opset.
    pub(super) fn guards(&self, opset: u32) -> Vec<&str> {
        let options = self.holes.iter().flat_map(|hole| &hole.options).filter(|option| option.is_of(opset));
        options.filter_map(|option| option.breaks.as_deref()).collect()
    }

    /// Returns the names of what its options can break in any opset, each once.
    pub(super) fn all_guards(&self) -> Vec<&str> {
        let mut all: Vec<&str> = Vec::new();
        for guard in self.holes.iter().flat_map(|hole| &hole.options).filter_map(|option| option.breaks.as_deref()) {
            if !all.contains(&guard) {
                all.push(guard);
            }
        }
        all
    }

    /// Returns the opsets in which it is drawn.
    pub(super) fn opsets(&self, newest: u32) -> RangeInclusive<u32> {
        self.opsets.0.max(OLDEST_OPSET)..=self.opsets.1.min(newest)
    }

    /// Returns whether a node of the pattern, in any option, has this operator.
    pub fn has_operator(&self, name: &str) -> bool {
        let options = self.holes.iter().flat_map(|hole| hole.options.iter().map(|option| option.text.as_str()));
        let texts = self.nodes.iter().chain(&self.fused).map(String::as_str).chain(options);
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        texts.flat_map(|text| text.split(|c| !is_word(c))).any(|word| word == name)
    }
}

/// Reads a file of patterns.
///
/// # Errors
/// Names the line with an unknown word, a hole or a value that is not defined before it is used, or a name that is there
/// twice.
pub(super) fn parse(file: &str, text: &str) -> Result<Vec<Pattern>, PatternError> {
    let mut patterns: Vec<Pattern> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let number = at + 1;
        let fail = |reason: String| PatternError { file: file.to_owned(), line: number, reason };
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        if word == "pattern" {
            let is_name =
                !rest.is_empty() && rest.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
            if !is_name {
                return Err(fail(format!(
                    "`{rest}` is not the name of a pattern: lower-case letters, digits and hyphens"
                )));
            }
            patterns.push(Pattern {
                name: rest.to_owned(),
                opsets: (OLDEST_OPSET, u32::MAX),
                imports: vec![],
                holes: vec![],
                tensors: vec![],
                nodes: vec![],
                fused: vec![],
                file: file.to_owned(),
                line: number,
            });
            continue;
        }
        let pattern = patterns.last_mut().ok_or_else(|| fail("a file begins with `pattern NAME`".to_owned()))?;
        let place = match word {
            "opset" => {
                pattern.opsets = opsets(rest).ok_or_else(|| fail(format!("`{rest}` is not a range of opsets")))?;
                continue;
            }
            "import" => {
                let import = rest.split_once(' ').and_then(|(domain, version)| Some((domain, version.parse().ok()?)));
                let (domain, version) = import.ok_or_else(|| fail("write `import DOMAIN VERSION`".to_owned()))?;
                pattern.imports.push((domain.to_owned(), version));
                continue;
            }
            "hole" => {
                let hole = hole(rest).map_err(fail)?;
                if pattern.holes.iter().any(|other| other.name == hole.name) {
                    return Err(fail(format!("there is another hole `{}`", hole.name)));
                }
                hole.options.iter().try_for_each(|option| bound(pattern, &option.text)).map_err(fail)?;
                pattern.holes.push(hole);
                continue;
            }
            "node" | "fused" => {
                bound(pattern, rest).map_err(fail)?;
                let nodes = if word == "node" { &mut pattern.nodes } else { &mut pattern.fused };
                nodes.push(rest.to_owned());
                continue;
            }
            "input" => Place::RunTime,
            "weight" => Place::Constant,
            "value" => Place::Either,
            _ => return Err(fail(format!("`{word}` is no word that a line begins with"))),
        };
        let mut parts = rest.splitn(3, ' ');
        let (name, type_) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let elements = parts.next().unwrap_or_default().trim();
        if name.is_empty() || type_.is_empty() {
            return Err(fail(format!("write `{word} NAME TYPE[SHAPE]`")));
        }
        if pattern.tensors.iter().any(|other| other.name == name) {
            return Err(fail(format!("there is another value `{name}`")));
        }
        bound(pattern, rest).map_err(fail)?;
        let (name, type_, elements) = (name.to_owned(), type_.to_owned(), elements.to_owned());
        pattern.tensors.push(PatternTensor { place, name, type_, elements, line: number });
    }
    match patterns.iter().find(|pattern| pattern.nodes.is_empty()) {
        Some(empty) => {
            Err(PatternError { file: file.to_owned(), line: empty.line, reason: "the pattern has no nodes".to_owned() })
        }
        None => Ok(patterns),
    }
}

fn opsets(text: &str) -> Option<(u32, u32)> {
    let (first, last) = text.split_once("..")?;
    let end = |text: &str, none: u32| if text.is_empty() { Some(none) } else { text.parse().ok() };
    Some((end(first, 0)?, end(last, u32::MAX)?))
}

/// Reads a hole: `T = float | !rare float16 | @13.. double`.
fn hole(text: &str) -> Result<Hole, String> {
    let (name, options) = text.split_once('=').ok_or("write `hole NAME = OPTION | OPTION`")?;
    let option = |text: &str| -> Result<Choice, String> {
        let mut option = Choice { breaks: None, opsets: (0, u32::MAX), text: text.trim().to_owned() };
        while let Some(sign) = option.text.chars().next().filter(|sign| ['!', '@'].contains(sign)) {
            let (word, rest) = option.text.split_once(' ').unwrap_or((&option.text, ""));
            match sign {
                '!' => option.breaks = Some(word[1..].to_owned()),
                _ => option.opsets = opsets(&word[1..]).ok_or_else(|| format!("`{word}` is not a range of opsets"))?,
            }
            option.text = rest.trim().to_owned();
        }
        Ok(option)
    };
    let options = options.split(" |").map(option).collect::<Result<Vec<_>, _>>()?;
    if options.iter().all(|option| option.breaks.is_some()) {
        return Err(format!("every option of the hole `{}` breaks something", name.trim()));
    }
    Ok(Hole { name: name.trim().to_owned(), options })
}

/// Returns the names of the holes in a text.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.split('$').skip(1).map(move |rest| &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())])
}

/// Checks that the holes in a text are defined.
fn bound(pattern: &Pattern, text: &str) -> Result<(), String> {
    match names(text).find(|name| pattern.holes.iter().all(|hole| hole.name != **name)) {
        Some(name) => Err(format!("no hole is called `{name}`")),
        None => Ok(()),
    }
}

/// Fills the holes of a text.
pub(super) fn filled(text: &str, holes: &[(String, String)]) -> String {
    let mut filled = text.to_owned();
    let mut longest: Vec<&(String, String)> = holes.iter().collect();
    longest.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    for (name, text) in longest {
        filled = filled.replace(&format!("${name}"), text);
    }
    filled
}

/// Reads which elements to draw; the default is moderate ones.
pub(super) fn values(text: &str) -> Option<Values> {
    Some(match text {
        "" | "moderate" => Values::Moderate,
        "any" => Values::Any,
        "finite" => Values::Finite,
        "integers" => Values::Integers,
        _ => {
            let (low, high) = text.split_once("..")?;
            Values::Between(low.parse().ok()?, high.parse().ok()?)
        }
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in a test a panic is the report")]
mod tests {
    use super::*;

    #[test]
    fn errors_name_file_and_line() {
        let error = |text: &str| parse("p.txt", text).unwrap_err().to_string();
        assert_eq!(error("node y = Relu (x)"), "p.txt:1: a file begins with `pattern NAME`");
        assert_eq!(
            error("pattern A"),
            "p.txt:1: `A` is not the name of a pattern: lower-case letters, digits and hyphens"
        );
        assert_eq!(error("pattern a\n\nnode y = Relu <a = $b> (x)"), "p.txt:3: no hole is called `b`");
        assert_eq!(error("pattern a\nhole b = $b | 1"), "p.txt:2: no hole is called `b`");
        assert_eq!(error("pattern a\nhole b = 1\nhole b = 2"), "p.txt:3: there is another hole `b`");
        assert_eq!(error("pattern a\nhole b = !c 1"), "p.txt:2: every option of the hole `b` breaks something");
        assert_eq!(error("pattern a\nopset x"), "p.txt:2: `x` is not a range of opsets");
        assert_eq!(error("pattern a\ninput x"), "p.txt:2: write `input NAME TYPE[SHAPE]`");
        assert_eq!(error("pattern a\nnodes y"), "p.txt:2: `nodes` is no word that a line begins with");
        assert_eq!(error("pattern a"), "p.txt:1: the pattern has no nodes");
    }

    #[test]
    fn options_have_opsets_and_break_things() {
        let text = "pattern a\nhole h = [1] | !rank [1,1] | @13..20 !x [2]\nnode y = Relu (x)";
        let pattern = parse("p.txt", text).unwrap().remove(0);
        assert_eq!(pattern.guards(12), ["rank"]);
        assert_eq!(pattern.guards(13), ["rank", "x"]);
        assert!(pattern.has_operator("Relu") && !pattern.has_operator("Rel"));
        let holes = [("m".to_owned(), "3".to_owned()), ("mm".to_owned(), "4".to_owned())];
        assert_eq!(filled("[$mm,$m]", &holes), "[4,3]");
    }
}
