//! Reads a page into an [`OperatorPage`].

use super::super::field::FieldKind;
use super::super::level::FeatureLevel;
use super::super::operator::Property;
use super::super::support::{DimensionCounts, SymbolicSize};
use super::{OperatorPage, PageBlock, PageField, PageRow, PageTable};
use crate::page::At;
use crate::page::lines::{Line, lines};
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Why a page cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OperatorPageError {
    /// The page has no section of an operator of DirectML.
    #[error(
        "the page has no operator of DirectML: a page of Microsoft Learn about an operator has a section \
         `Tensor support`, `Members` or `-struct-fields`"
    )]
    NoOperator,
    /// A line does not have the expected form.
    #[error("line {line}: {message}")]
    Line {
        /// The line number, from 1.
        line: usize,
        /// What is wrong with the line.
        message: String,
    },
}

fn error(line: usize, message: impl Into<String>) -> OperatorPageError {
    OperatorPageError::Line { line, message: message.into() }
}

/// Compiles a pattern of this file. Each pattern is known to be well-formed, because a test uses it.
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the patterns of this file are well-formed")
}

static STRUCT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:title:|UID: NS:directml\.|#) ?(DML_[A-Z0-9_]+_DESC)(?: structure.*)?$"));
static HEADING: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(#+) *(.*?) *#*$"));
static FIELD: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:#+ *(?:-field +)?)?`?([A-Z][A-Za-z0-9]*)`?$"));
static INTRODUCED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"introduced in [^A-Za-z]*(DML_FEATURE_LEVEL_[0-9]+_[0-9]+)"));
static BLOCK: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(DML_FEATURE_LEVEL_[0-9]+_[0-9]+)(?: and above)?$"));
static CONSTRAINT: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(.+?) must have the same (.+?)\.?$"));
static LINK: LazyLock<Regex> = LazyLock::new(|| pattern(r"\[([^\]]*)\]\([^)]*\)"));
static TAG: LazyLock<Regex> = LazyLock::new(|| pattern(r"</?[a-zA-Z][^>]*>"));
static ANNOTATION: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:_[A-Z][A-Za-z_]*_(?:\([A-Za-z0-9]*\))? *)+"));

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    Members,
    Availability,
    Constraints,
    Support,
    Other,
}

fn section(title: &str) -> Section {
    match title {
        "Members" | "-struct-fields" => Section::Members,
        "Availability" => Section::Availability,
        "Tensor constraints" => Section::Constraints,
        _ if title.starts_with("Tensor support") => Section::Support,
        _ => Section::Other,
    }
}

/// Returns whether a text is a page of an operator of DirectML, and not a page of ONNX's documentation.
pub fn is_operator_page(text: &str) -> bool {
    text.contains("DML_TENSOR_DESC") || text.contains("DML_FEATURE_LEVEL_")
}

struct Reader {
    page: OperatorPage,
    section: Section,
    sections: usize,
    understood: bool,
    functions: BTreeSet<String>,
    columns: Vec<String>,
    in_code: bool,
}

impl OperatorPage {
    /// Reads a page of Microsoft Learn.
    ///
    /// # Errors
    /// Returns an error if the text has no section of an operator's page, or for the first line that does not have the
    /// expected form.
    pub fn parse(text: &str) -> Result<OperatorPage, OperatorPageError> {
        let mut reader = Reader {
            page: OperatorPage::default(),
            section: Section::Other,
            sections: 0,
            understood: true,
            functions: BTreeSet::new(),
            columns: Vec::new(),
            in_code: false,
        };
        for line in lines(text) {
            reader.line(&line)?;
        }
        reader.page.all_constraints = reader.page.all_constraints.filter(|_| reader.understood);
        if reader.sections == 0 { Err(OperatorPageError::NoOperator) } else { Ok(reader.page) }
    }
}

impl Reader {
    fn line(&mut self, line: &Line) -> Result<(), OperatorPageError> {
        let text = line.text.as_str();
        if text.starts_with("```") {
            self.in_code = !self.in_code;
            return Ok(());
        }
        if self.in_code {
            let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty());
            self.page.formula_words.extend(words.map(str::to_lowercase));
            return Ok(());
        }
        if let Some(found) = STRUCT.captures(text) {
            self.page.desc_struct.get_or_insert(At { line: line.number, value: found[1].to_owned() });
        }
        if let Some(found) = HEADING.captures(text)
            && (found[1].len() <= 2 || section(&found[2]) != Section::Other)
        {
            self.section = section(&found[2]);
            self.sections += usize::from(self.section != Section::Other);
            if self.section == Section::Constraints {
                self.page.all_constraints = Some(line.number);
            }
            return Ok(());
        }
        match self.section {
            Section::Members => self.member(line),
            Section::Availability => self.availability(line)?,
            Section::Constraints => self.constraint(line),
            Section::Support => self.support(line)?,
            Section::Other => {}
        }
        if plain(text).contains("operator supports in-place execution") {
            self.page.in_place = Some(At { line: line.number, value: true });
        }
        Ok(())
    }

    fn member(&mut self, line: &Line) {
        if let Some(found) = FIELD.captures(&line.text) {
            let field = PageField { name: found[1].to_owned(), c_type: None, optional: false };
            self.page.fields.push(At { line: line.number, value: field });
        } else if let Some(type_) = line.text.strip_prefix("Type:")
            && let Some(At { value: field, .. }) = self.page.fields.last_mut()
        {
            let text = declaration(type_);
            let annotated = |word: &str| text.to_lowercase().contains(word);
            field.optional = annotated("_maybenull_") || annotated("_opt_");
            let words = ANNOTATION.replace(&text, "");
            let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
            field.c_type = Some(words.replace(" *", "*"));
        }
    }

    fn availability(&mut self, line: &Line) -> Result<(), OperatorPageError> {
        if let Some(found) = INTRODUCED.captures(&line.text) {
            self.page.introduced = Some(At { line: line.number, value: level(line, &found[1])? });
        }
        Ok(())
    }

    fn constraint(&mut self, line: &Line) {
        let text = plain(line.text.trim_start_matches("* ").trim_start_matches("- "));
        let read = CONSTRAINT.captures(&text).and_then(|found| {
            let properties: Option<BTreeSet<Property>> = names(&found[2]).iter().map(|name| property(name)).collect();
            let tensors: BTreeSet<String> = names(&found[1]).into_iter().collect();
            let words = tensors.iter().all(|name| name.chars().all(|c| c.is_ascii_alphanumeric()));
            Some((properties?, tensors)).filter(|_| words)
        });
        match read {
            Some(constraint) => self.page.constraints.push(At { line: line.number, value: constraint }),
            None => self.understood = false,
        }
    }

    fn support(&mut self, line: &Line) -> Result<(), OperatorPageError> {
        if let Some(found) = HEADING.captures(&line.text) {
            let title = plain(&found[2]);
            match BLOCK.captures(&title) {
                Some(found) => {
                    let level = Some(level(line, &found[1])?);
                    self.block(line, level);
                }
                None => self.functions = names(&title).into_iter().collect(),
            }
            return Ok(());
        }
        let Some(inside) = line.text.strip_prefix('|') else { return Ok(()) };
        let cells: Vec<String> = inside.trim_end_matches('|').split('|').map(|cell| plain(cell.trim())).collect();
        if cells.iter().all(|cell| cell.chars().all(|c| "-: ".contains(c))) && cells.iter().any(|cell| !cell.is_empty())
        {
            return Ok(());
        }
        if cells.first().is_some_and(|cell| cell == "Tensor") {
            self.columns = cells;
            if self.table().is_none_or(|table| table.blocks.last().is_none_or(|at| !at.value.rows.is_empty())) {
                self.block(line, None);
            }
            return Ok(());
        }
        let row = At { line: line.number, value: row(line, &self.columns, &cells)? };
        let blocks = self.table().map(|table| &mut table.blocks);
        match blocks.and_then(|blocks| blocks.last_mut()) {
            Some(block) => block.value.rows.push(row),
            None => return Err(error(line.number, "a table has a row, but no heading")),
        }
        Ok(())
    }

    /// Returns the table of the functions that the last heading named.
    fn table(&mut self) -> Option<&mut PageTable> {
        self.page.tables.iter_mut().find(|table| table.functions == self.functions)
    }

    fn block(&mut self, line: &Line, level: Option<FeatureLevel>) {
        let block = At { line: line.number, value: PageBlock { level, rows: Vec::new() } };
        match self.table() {
            Some(table) => table.blocks.push(block),
            None => self.page.tables.push(PageTable { functions: self.functions.clone(), blocks: vec![block] }),
        }
    }
}

/// Removes links (but not their text), tags, emphasis, code marks and escapes.
fn plain(text: &str) -> String {
    unmarked(text).replace('*', "").replace('\u{1}', "*").trim().to_owned()
}

/// Cleans a C declaration such as `const UINT*`, in which `*` is literal.
fn declaration(text: &str) -> String {
    unmarked(text).replace('\u{1}', "*").trim().to_owned()
}

/// Removes links (but not their text), tags, bold marks, code marks and escapes. Turns an escaped `*` into a control
/// character.
fn unmarked(text: &str) -> String {
    let text = LINK.replace_all(text, "$1");
    TAG.replace_all(&text, "").replace("**", "").replace('`', "").replace("\\*", "\u{1}").replace('\\', "")
}

/// Splits a list of names of the form `A, B, and C`.
fn names(text: &str) -> Vec<String> {
    let parts = text.split(',').flat_map(|part| part.split(" and ")).map(|part| part.trim().trim_start_matches("and "));
    parts.filter(|part| !part.is_empty()).map(|part| part.trim().to_owned()).collect()
}

fn property(name: &str) -> Option<Property> {
    match name {
        "DataType" => Some(Property::DataType),
        "DimensionCount" => Some(Property::DimensionCount),
        "Sizes" => Some(Property::Sizes),
        _ => None,
    }
}

fn level(line: &Line, name: &str) -> Result<FeatureLevel, OperatorPageError> {
    name.parse().map_err(|unknown| error(line.number, format!("{unknown}")))
}

fn row(line: &Line, columns: &[String], cells: &[String]) -> Result<PageRow, OperatorPageError> {
    let find = |title: &str| columns.iter().position(|column| column == title).and_then(|index| cells.get(index));
    let cell =
        |title: &str| find(title).ok_or_else(|| error(line.number, format!("the table has no column `{title}`")));
    let kind = cell("Kind")?.to_lowercase();
    let data_types = cell("Supported data types")?.split(',').map(str::trim).filter(|name| !name.is_empty());
    let sizes = find("Dimensions").map(|text| {
        let inside = text.trim_start_matches('{').trim_end_matches('}');
        let sizes = inside.split(',').map(str::trim).filter(|size| !size.is_empty());
        sizes.map(str::parse::<SymbolicSize>).collect::<Result<Vec<_>, _>>()
    });
    Ok(PageRow {
        name: cell("Tensor")?.clone(),
        kind: match (kind.contains("input"), kind.contains("output")) {
            (true, false) => FieldKind::InputTensor,
            (false, true) => FieldKind::OutputTensor,
            _ => return Err(error(line.number, format!("the kind `{kind}` is neither an input nor an output"))),
        },
        optional: kind.contains("optional"),
        dimension_counts: counts(cell("Supported dimension counts")?)
            .ok_or_else(|| error(line.number, "dimension counts must have a form such as `4` or `1 to 8`"))?,
        data_types: data_types
            .map(|name| name.parse().map_err(|unknown| error(line.number, format!("{unknown}"))))
            .collect::<Result<_, _>>()?,
        sizes: sizes.transpose().map_err(|unknown| error(line.number, unknown))?,
    })
}

fn counts(text: &str) -> Option<DimensionCounts> {
    let (min, max) = text.split_once(" to ").unwrap_or((text, text));
    let (min, max) = (min.trim().parse().ok()?, max.trim().parse().ok()?);
    Some(DimensionCounts { min, max })
}
