//! Renders the report as a single page. It needs no network, no fonts and no other files, except the reproductions that
//! it links to.
//!
//! The templates in `reports/templates/` are compiled in. One function ([`write_value`]) writes every value that goes
//! into them. It escapes the value and makes hidden characters visible, unless the value is marked as safe. The
//! page also has a content security policy. The policy forbids everything from elsewhere, and every script except the
//! page's own, whose hash it states. So a mistake in the escaping cannot run anything.

mod behaviour;
mod causes;
pub(crate) mod columns;
mod comparison_page;
mod data;
mod directml;
mod evidence;
mod facts;
mod families;
mod findings;
mod marks;
mod matrix;
mod operator;
mod overview;
mod tools;

use std::fmt::Write;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{Environment, context};
use plumbline_spec::{ONNX_DOMAIN, Spec, embedded};
use sha2::{Digest, Sha256};

use crate::text::write_visible;
use crate::{ReportError, Summary};
use causes::Causes;
pub use comparison_page::comparison_page;
pub(crate) use comparison_page::{CountRow, class};
use directml::Compatibility;
pub use evidence::Repros;
use matrix::{Matrix, Subject};
use operator::Section;
use overview::Overview;
pub(crate) use tools::{ConversionRow, Tools};

/// Returns a file of `reports/templates`.
pub(crate) fn file(name: &str) -> &'static str {
    embedded::text(&plumbline_report_data::FOLDER, &format!("templates/{name}"))
}

/// The templates of the report's page and its parts, of a comparison, and of the page of a failure.
const TEMPLATES: [&str; 9] = [
    "page.html",
    "overview.html",
    "notes.html",
    "matrix.html",
    "directml.html",
    "operator.html",
    "comparison.html",
    "repro.html",
    "tools.html",
];

/// Renders the page.
///
/// # Errors
/// Fails if a template is broken. No input can cause this.
pub fn html(summary: &Summary, spec: &Spec, repros: &Repros) -> Result<String, ReportError> {
    let mut environment = environment()?;
    environment.add_global("program", summary.meta.program());
    let subjects = subjects(summary, spec);
    let backends: Vec<&str> = summary
        .backends
        .iter()
        .filter(|backend| backend.total.counts.all() > 0)
        .map(|backend| backend.backend.as_str())
        .collect();

    let causes = Causes::new(&subjects);
    let cause_names = causes.names();
    let overview = environment
        .get_template("overview.html")?
        .render(context! { o => Serde(Overview::new(summary, spec, &subjects)), causes => Serde(causes) })?;
    let notes = environment
        .get_template("notes.html")?
        .render(context! { o => Serde(Overview::new(summary, spec, &subjects)) })?;
    let matrix = Matrix::new(spec, &subjects, &backends);
    let shown = matrix::shown_columns(spec, &subjects);
    let kind_starts = matrix.kind_starts();
    let strips = matrix.strips.clone();
    let matrix = environment
        .get_template("matrix.html")?
        .render(context! { m => Serde(matrix), backends => Serde(&backends) })?;
    let compatibility = Compatibility::new(summary, spec);
    let compatibility = environment.get_template("directml.html")?.render(context! { c => Serde(compatibility) })?;
    let tools =
        environment.get_template("tools.html")?.render(context! { t => Serde(Tools::new(summary, spec, repros)) })?;
    // Operators are rendered one at a time, because their values need much more memory than their text.
    let template = environment.get_template("operator.html")?;
    let (mut operators, mut index) = (String::new(), data::Index::new());
    for subject in &subjects {
        let section = Section::new(subject, summary, &backends, repros);
        index.insert(subject.id.clone(), section.index(subject, &shown, &backends));
        operators.push_str(&template.render(context! { o => Serde(section) })?);
    }
    let script = [file("copy.js"), file("report.js")].concat();
    let page = environment.get_template("page.html")?.render(context! {
        title => summary.meta.title.as_str(),
        style => Value::from_safe_string(file("report.css").trim_end().to_owned()),
        script => Value::from_safe_string(script.clone()),
        script_hash => base64(&Sha256::digest(&script)),
        data => Value::from_safe_string(data::data(spec, &subjects, &backends, index)),
        overview => Value::from_safe_string(overview),
        notes => Value::from_safe_string(notes),
        matrix => Value::from_safe_string(matrix),
        tools => Value::from_safe_string(tools),
        compatibility => Value::from_safe_string(compatibility),
        operators => Value::from_safe_string(operators),
        backends => Serde(&backends),
        causes => Serde(cause_names),
        kind_starts => Serde(kind_starts),
        strips => strips.iter().map(|strip| Value::from_safe_string(strip.clone())).collect::<Vec<_>>(),
    })?;
    Ok(page)
}

/// Returns every operator of the specification, followed by those that only occur in the results.
fn subjects<'a>(summary: &'a Summary, spec: &'a Spec) -> Vec<Subject<'a>> {
    let mut subjects: Vec<Subject> = spec
        .operators()
        .map(|operator| Subject {
            id: operator.qualified_name(),
            domain: operator.domain.clone(),
            name: operator.name.clone(),
            operator: Some(operator),
            results: summary
                .operators
                .iter()
                .find(|results| results.domain == operator.domain && results.op == operator.name),
        })
        .collect();
    // ONNX's own domain comes first.
    subjects.sort_by_key(|subject| (subject.domain != ONNX_DOMAIN, subject.domain.clone(), subject.name.clone()));
    let others = summary.operators.iter().filter(|results| {
        spec.operators().all(|operator| results.domain != operator.domain || results.op != operator.name)
    });
    for (index, results) in others.enumerate() {
        subjects.push(Subject {
            // The operator's name may contain any characters, but an anchor may not.
            id: format!("other-{}", index + 1),
            domain: if results.domain.is_empty() { "graphs".to_owned() } else { results.domain.clone() },
            name: results.op.clone(),
            operator: None,
            results: Some(results),
        });
    }
    subjects
}

pub(crate) fn environment() -> Result<Environment<'static>, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    environment.set_formatter(|out, _, value| write_value(out, value).map_err(minijinja::Error::from));
    for name in TEMPLATES {
        environment.add_template(name, file(name))?;
    }
    Ok(environment)
}

/// Writes a value as HTML text that is also safe inside quoted attributes. A value that is marked as safe is written as
/// it is: what templates rendered, the style with its gradients, the script, and the JSON of the page's data, which has
/// its own escaping.
fn write_value(out: &mut impl Write, value: &Value) -> std::fmt::Result {
    if value.is_undefined() || value.is_none() {
        return Ok(());
    }
    match value.as_str() {
        Some(text) if value.is_safe() => out.write_str(text),
        Some(text) => write_visible(&mut Escaped(out), text),
        None => write_visible(&mut Escaped(out), &value.to_string()),
    }
}

struct Escaped<'a, W>(&'a mut W);

impl<W: Write> Write for Escaped<'_, W> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let mut written = 0;
        let mut at = 0;
        // Nearly all text of a page comes through here. A loop without iterators is fast even if nothing is optimized.
        while at < text.len() {
            let entity = match text.as_bytes()[at] {
                b'<' => "&lt;",
                b'>' => "&gt;",
                b'&' => "&amp;",
                b'"' => "&quot;",
                b'\'' => "&#39;",
                b'`' => "&#96;",
                _ => "",
            };
            if !entity.is_empty() {
                self.0.write_str(&text[written..at])?;
                self.0.write_str(entity)?;
                written = at + 1;
            }
            at += 1;
        }
        self.0.write_str(&text[written..])
    }
}

/// Encodes bytes in base64 with padding, as a content security policy requires.
pub(crate) fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let number = chunk.iter().chain([0; 2].iter()).take(3).fold(0_u32, |sum, &byte| sum << 8 | u32::from(byte));
        for place in 0..4 {
            let digit = DIGITS[(number >> (18 - 6 * place)) as usize & 63];
            out.push(if place <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_pads_every_length() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn values_are_escaped_and_control_characters_are_shown() {
        let text = |value: Value| {
            let mut out = String::new();
            write_value(&mut out, &value).unwrap();
            out
        };
        assert_eq!(
            text(Value::from("</script><img src=x onerror='a`b\"'>&\0\u{202e}")),
            "&lt;/script&gt;&lt;img src=x onerror=&#39;a&#96;b&quot;&#39;&gt;&amp;␀\\u{202e}"
        );
        assert_eq!(text(Value::from(vec!["<b>"])), "[&#39;&lt;b&gt;&#39;]");
        assert_eq!(text(Value::from(3)), "3");
        assert_eq!(text(Value::UNDEFINED), "");
    }
}
