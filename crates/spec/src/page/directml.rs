//! Reads Microsoft Learn's Markdown pages of DirectML's operators.
//!
//! The reader takes from a page the fields and their types, whether the operator works in place, the level that
//! introduced it, the tensor constraints of the form "*A* and *B* must have the same *Sizes*", and the support tables.
//! It skips other sentences. If a page states no facts of one kind, such as fields or support tables, this kind is not
//! compared. A page that does not name its operator is compared with each operator that has the same fields, and counts
//! as the page of the operator with the fewest disagreements.

use super::lines::{Line, lines};
use super::{Comparison, Disagreement, Fact, PRESENT, PageError, disagreements, error, pattern};
use crate::directml::names::listed;
use crate::directml::{
    DimensionCounts, DirectMl, FeatureLevel, FieldKind, Operator, Property, SupportBlock, SupportRow, SymbolicSize,
};
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

static STRUCT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:title:|UID: NS:directml\.|#) ?(DML_[A-Z0-9_]+_DESC)(?: structure.*)?$"));
static HEADING: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(#+) *(.*?) *#*$"));
static FIELD: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:#+ *(?:-field +)?)?`?([A-Z][A-Za-z0-9]*)`?$"));
static INTRODUCED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"introduced in [^A-Za-z]*(DML_FEATURE_LEVEL_[0-9]+_[0-9]+)"));
static BLOCK: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(DML_FEATURE_LEVEL_[0-9]+_[0-9]+)(?: and above)?$"));
static CONSTRAINT: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(.+?) must have the same (.+?)\.?$"));
static LINK_OR_TAG: LazyLock<Regex> = LazyLock::new(|| pattern(r"\[([^\]]*)\]\([^)]*\)|</?[a-zA-Z][^>]*>"));
static ANNOTATION: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:_[A-Z][A-Za-z_]*_(?:\([A-Za-z0-9]*\))? *)+"));

const PROPERTIES: [Property; 3] = [Property::DataType, Property::DimensionCount, Property::Sizes];

/// Properties, and the tensors that must agree in them.
type Constraint = (BTreeSet<Property>, BTreeSet<String>);

#[derive(Default)]
struct Page {
    /// The description struct of the page (`DML_ELEMENT_WISE_MIN_OPERATOR_DESC`), if the page names it.
    desc_struct: Option<(usize, String)>,
    /// The names of the fields, in order.
    fields: Vec<String>,
    /// Facts on fields, on work in place, and on the level that introduced the operator.
    facts: Vec<Fact>,
    constraints: Vec<(usize, Constraint)>,
    /// The line where the section on constraints starts, if the reader understood every sentence of the section.
    all_constraints: Option<usize>,
    /// The blocks of the support table of each group of functions (`SUM`), which is empty if there is a single table.
    tables: Vec<(BTreeSet<String>, Vec<Block>)>,
    /// The words of the code blocks on the page, in lower case. Formulas are in code blocks.
    formula_words: BTreeSet<String>,
}

/// The support from a level on, or at all levels.
struct Block {
    line: usize,
    level: Option<FeatureLevel>,
    /// Each row with its line, and with whether the table has a column for sizes.
    rows: Vec<(usize, SupportRow, bool)>,
}

/// Compares a page with `directml`. If the page does not name its operator, the result is the comparison with the
/// fewest disagreements. If the page agrees fully with several operators, the result names all of them.
pub(super) fn compare(text: &str, directml: &DirectMl) -> Result<Comparison, PageError> {
    let page = Page::parse(text)?;
    let operators = match &page.desc_struct {
        Some((_, name)) => directml.operators().iter().filter(|known| known.desc_struct == *name).collect(),
        None => page.candidates(directml),
    };
    let mut results: Vec<_> = operators.iter().map(|operator| (&operator.name, page.compare(operator))).collect();
    let fewest = results.iter().map(|(_, found)| found.len()).min();
    results.retain(|(_, found)| Some(found.len()) == fewest);
    if fewest > Some(0) {
        results.truncate(1);
    }
    let unknown = |line, name: &str, fact, text: &str| {
        vec![Fact::new(line, fact, "").disagrees(name, Some(text.to_owned()), None)]
    };
    let (compared, found): (Vec<String>, Vec<_>) =
        results.into_iter().map(|(name, found)| (name.clone(), found)).unzip();
    let (compared, disagreements) = match (found.into_iter().next(), page.desc_struct) {
        (Some(found), _) => (compared, found),
        (None, Some((line, name))) => (vec![name.clone()], unknown(line, &name, "exists", "yes")),
        (None, None) => (compared, unknown(1, "the page", "operator with these fields", "one")),
    };
    Ok(Comparison { compared, disagreements, not_on_page: Vec::new() })
}

impl Page {
    fn parse(text: &str) -> Result<Page, PageError> {
        let mut page = Page::default();
        let (mut section, mut sections, mut understood) = (String::new(), 0, true);
        let (mut functions, mut columns, mut in_code) = (BTreeSet::new(), Vec::new(), false);
        for line in lines(text) {
            let (number, text) = (line.number, line.text.as_str());
            if text.starts_with("```") {
                in_code = !in_code;
                continue;
            }
            if in_code {
                let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                page.formula_words.extend(words.map(str::to_lowercase));
                continue;
            }
            if let Some(found) = STRUCT.captures(text) {
                page.desc_struct.get_or_insert((number, found[1].to_owned()));
            }
            let heading = HEADING.captures(text);
            if let Some(found) = &heading {
                let known = ["Members", "-struct-fields", "Availability", "Tensor constraints"].contains(&&found[2])
                    || found[2].starts_with("Tensor support");
                if known || found[1].len() <= 2 {
                    section = found[2].to_owned();
                    sections += usize::from(known);
                    if section == "Tensor constraints" {
                        page.all_constraints = Some(number);
                    }
                    continue;
                }
            }
            match section.as_str() {
                "Members" | "-struct-fields" => page.member(number, text),
                "Availability" => {
                    if let Some(found) = INTRODUCED.captures(text) {
                        page.facts.push(Fact::new(number, "introduced", level(number, &found[1])?));
                    }
                }
                "Tensor constraints" => match constraint(text) {
                    Some(constraint) => page.constraints.push((number, constraint)),
                    None => understood = false,
                },
                support if support.starts_with("Tensor support") => match heading.map(|found| plain(&found[2])) {
                    Some(title) => match BLOCK.captures(&title) {
                        Some(found) => {
                            let level = Some(level(number, &found[1])?);
                            page.blocks(&functions).push(Block { line: number, level, rows: Vec::new() });
                        }
                        None => functions = names(&title).into_iter().collect(),
                    },
                    None => page.support(&line, &functions, &mut columns)?,
                },
                _ => {}
            }
            if plain(text).contains("operator supports in-place execution") {
                page.facts.push(Fact::new(number, "in-place execution", true));
            }
        }
        page.all_constraints = page.all_constraints.filter(|_| understood);
        if sections == 0 { Err(PageError::NoOperator) } else { Ok(page) }
    }

    fn member(&mut self, line: usize, text: &str) {
        if let Some(found) = FIELD.captures(text) {
            let name = format!("field {}", &found[1]);
            self.facts.push(Fact::new(line, format!("{name} position"), self.fields.len()));
            self.facts.push(Fact::new(line, name, PRESENT));
            self.fields.push(found[1].to_owned());
        } else if let Some(type_) = text.strip_prefix("Type:")
            && let Some(field) = self.facts.iter().rfind(|fact| fact.is_item())
        {
            let (line, name) = (field.line, field.name.clone());
            let text = unmarked(type_);
            let annotated = |word: &str| text.to_lowercase().contains(word);
            // Older pages do not mark fields that may be null, so a missing mark is no disagreement. The support tables
            // mark optional tensors.
            if annotated("_maybenull_") || annotated("_opt_") {
                self.facts.push(Fact::new(line, format!("{name} optional"), true));
            }
            let words = ANNOTATION.replace(&text, "").split_whitespace().collect::<Vec<_>>().join(" ");
            self.facts.push(Fact::new(line, format!("{name} type"), words.replace(" *", "*")));
        }
    }

    fn support(
        &mut self,
        line: &Line,
        functions: &BTreeSet<String>,
        columns: &mut Vec<String>,
    ) -> Result<(), PageError> {
        let Some(inside) = line.text.strip_prefix('|') else { return Ok(()) };
        let cells: Vec<String> = inside.trim_end_matches('|').split('|').map(|cell| plain(cell.trim())).collect();
        let is_rule = |cell: &String| cell.chars().all(|c| "-: ".contains(c));
        if cells.iter().all(is_rule) && cells.iter().any(|cell| !cell.is_empty()) {
            return Ok(());
        }
        if cells.first().is_some_and(|cell| cell == "Tensor") {
            *columns = cells;
            let blocks = self.blocks(functions);
            if blocks.last().is_none_or(|block| !block.rows.is_empty()) {
                blocks.push(Block { line: line.number, level: None, rows: Vec::new() });
            }
            return Ok(());
        }
        let row = row(line.number, columns, &cells)?;
        let no_heading = || error(line.number, "a table has a row, but no heading");
        self.blocks(functions).last_mut().ok_or_else(no_heading)?.rows.push(row);
        Ok(())
    }

    /// Returns the blocks of the table of these functions.
    fn blocks(&mut self, functions: &BTreeSet<String>) -> &mut Vec<Block> {
        let place = self.tables.iter().position(|(known, _)| known == functions);
        let place = place.unwrap_or_else(|| {
            self.tables.push((functions.clone(), Vec::new()));
            self.tables.len() - 1
        });
        &mut self.tables[place].1
    }

    /// Returns the operators that have the fields of the page. If formulas on the page contain the last word of an
    /// operator's name, such as the `min` of ELEMENT_WISE_MIN, returns only the operators for which this holds.
    fn candidates<'a>(&self, directml: &'a DirectMl) -> Vec<&'a Operator> {
        let same = |operator: &&Operator| operator.fields.iter().map(|field| &field.name).eq(&self.fields);
        let mut found: Vec<&Operator> = directml.operators().iter().filter(same).collect();
        let named = |operator: &&Operator| {
            let last = operator.short_name().rsplit('_').next().unwrap_or_default().to_lowercase();
            self.formula_words.contains(&last)
        };
        if found.iter().any(&named) {
            found.retain(named);
        }
        found
    }

    fn compare(&self, operator: &Operator) -> Vec<Disagreement> {
        let mut known = vec![Fact::new(1, "in-place execution", operator.in_place)];
        known.push(Fact::new(1, "introduced", operator.introduced));
        let first = self.facts.iter().find(|fact| fact.is_item()).map(|fact| fact.line);
        for (index, field) in operator.fields.iter().enumerate() {
            let fact = |what: &str| format!("field {}{what}", field.name);
            known.extend(first.map(|line| Fact::new(line, fact(""), PRESENT)));
            known.push(Fact::new(1, fact(" position"), index));
            known.push(Fact::new(1, fact(" type"), &field.c_type));
            known.push(Fact::new(1, fact(" optional"), field.optional));
        }
        let mut found = disagreements(&operator.name, &self.facts, &known);
        self.compare_constraints(operator, &mut found);
        let short = |name: &String| name.rsplit_once("_FUNCTION_").map_or(name.as_str(), |(_, short)| short).to_owned();
        let names = |functions: &[String]| functions.iter().map(short).collect::<BTreeSet<_>>();
        for (functions, blocks) in &self.tables {
            let known = operator.support.iter().find(|known| names(&known.functions) == *functions);
            match known {
                Some(known) => compare_blocks(operator, blocks, &known.blocks, &mut found),
                None => {
                    let known = operator.support.iter().map(|known| format!("[{}]", listed(names(&known.functions))));
                    let (page, specs) = (format!("[{}]", listed(functions)), known.collect::<Vec<_>>().join(" "));
                    let fact = Fact::new(blocks.first().map_or(1, |block| block.line), "functions of a table", "");
                    found.push(fact.disagrees(&operator.name, Some(page), Some(specs)));
                }
            }
        }
        if let Some(block) = self.tables.first().and_then(|(_, blocks)| blocks.first()) {
            let fact = |count| [Fact::new(block.line, "number of support tables", count)];
            found.extend(disagreements(&operator.name, &fact(self.tables.len()), &fact(operator.support.len())));
        }
        found
    }

    fn compare_constraints(&self, operator: &Operator, found: &mut Vec<Disagreement>) {
        let on_page = groups(self.constraints.iter().map(|(_, constraint)| constraint.clone()));
        let in_specs = groups(operator.tensor_constraints.iter().map(|constraint| {
            (constraint.same.iter().copied().collect(), constraint.tensors.iter().cloned().collect())
        }));
        let Some(line) = self.constraints.first().map(|(line, _)| *line).or(self.all_constraints) else { return };
        for property in PROPERTIES {
            let (on_page, in_specs) = (&on_page[&property], &in_specs[&property]);
            // Sentences that the reader did not understand may state the constraints that seem to be missing.
            let agrees = self.all_constraints.is_none()
                && on_page.iter().all(|group| in_specs.iter().any(|known| known.is_superset(group)));
            if !agrees && on_page != in_specs {
                let text = |groups: &BTreeSet<BTreeSet<String>>| {
                    let groups: Vec<String> = groups.iter().map(|group| format!("[{}]", listed(group))).collect();
                    (!groups.is_empty()).then(|| groups.join(" "))
                };
                let fact = Fact::new(line, format!("tensors of the same {property:?}"), "");
                found.push(fact.disagrees(&operator.name, text(on_page), text(in_specs)));
            }
        }
    }
}

fn compare_blocks(operator: &Operator, page: &[Block], specs: &[SupportBlock], found: &mut Vec<Disagreement>) {
    let first = specs.last().map_or(operator.introduced, |block| block.min_feature_level);
    let level = |block: &Block| block.level.unwrap_or(first);
    let line = page.first().map_or(1, |block| block.line);
    let fact = |line, level: FeatureLevel| Fact::new(line, format!("support from {level}"), PRESENT);
    let blocks: Vec<Fact> = page.iter().map(|block| fact(block.line, level(block))).collect();
    let known: Vec<Fact> = specs.iter().map(|block| fact(line, block.min_feature_level)).collect();
    for block in page {
        let level = level(block);
        let Some(known) = specs.iter().find(|known| known.min_feature_level == level) else { continue };
        let (mut seen, mut facts) = (BTreeSet::new(), Vec::new());
        for (line, row, has_sizes) in &block.rows {
            match seen.insert(&row.name) {
                true => facts.extend(row_facts(*line, level, row, *has_sizes)),
                false => {
                    let fact = Fact::new(*line, format!("{level} {}", row.name), "");
                    found.push(fact.disagrees(&operator.name, Some("a second row".to_owned()), None));
                }
            }
        }
        let known: Vec<Fact> = known.tensors.iter().flat_map(|row| row_facts(block.line, level, row, true)).collect();
        found.extend(disagreements(&operator.name, &facts, &known));
    }
    if !page.iter().map(level).is_sorted_by(|a, b| a > b) {
        let levels = Some(listed(page.iter().map(level)));
        let wanted = Some("newest first, each once".to_owned());
        found.push(Fact::new(line, "levels", "").disagrees(&operator.name, levels, wanted));
    }
    found.extend(disagreements(&operator.name, &blocks, &known));
}

fn row_facts(line: usize, level: FeatureLevel, row: &SupportRow, has_sizes: bool) -> Vec<Fact> {
    let fact = |what: &str| format!("{level} {}{what}", row.name);
    let mut facts = vec![
        Fact::new(line, fact(""), PRESENT),
        Fact::new(line, fact(" kind"), row.kind.name()),
        Fact::new(line, fact(" optional"), row.optional),
        Fact::new(line, fact(" dimension counts"), row.dimension_counts),
        Fact::set(line, fact(" data types, those that differ"), row.data_types.iter().flatten()),
    ];
    facts.extend(has_sizes.then(|| Fact::new(line, fact(" sizes"), listed(&row.symbolic_sizes))));
    facts
}

/// Returns for each property the sets of tensors that must agree in it. Sets that share a tensor are joined.
fn groups(constraints: impl Iterator<Item = Constraint>) -> BTreeMap<Property, BTreeSet<BTreeSet<String>>> {
    let mut found: BTreeMap<_, BTreeSet<_>> = PROPERTIES.map(|property| (property, BTreeSet::new())).into();
    for (properties, tensors) in constraints {
        for property in properties {
            let groups: &mut BTreeSet<BTreeSet<String>> = found.entry(property).or_default();
            let joined = groups.extract_if(.., |group| !group.is_disjoint(&tensors)).flatten();
            let joined = joined.chain(tensors.clone()).collect();
            groups.insert(joined);
        }
    }
    found
}

fn constraint(text: &str) -> Option<Constraint> {
    let text = plain(text.trim_start_matches("* ").trim_start_matches("- "));
    let found = CONSTRAINT.captures(&text)?;
    let property = |name: &String| PROPERTIES.into_iter().find(|property| format!("{property:?}") == *name);
    let tensors: BTreeSet<String> = names(&found[1]).into_iter().collect();
    let words = tensors.iter().all(|name| name.chars().all(|c| c.is_ascii_alphanumeric()));
    Some((names(&found[2]).iter().map(property).collect::<Option<_>>()?, tensors)).filter(|_| words)
}

/// Removes links (but not their text), tags, emphasis, code marks and escapes.
fn plain(text: &str) -> String {
    unmarked(&text.replace("\\*", "\u{1}").replace('*', "").replace('\u{1}', "\\*"))
}

/// Removes what [`plain`] removes, but for a single `*`, which belongs to a C declaration such as `const UINT*`.
fn unmarked(text: &str) -> String {
    LINK_OR_TAG.replace_all(text, "$1").replace("**", "").replace(['`', '\\'], "").trim().to_owned()
}

/// Splits a list of names of the form `A, B, and C`.
fn names(text: &str) -> Vec<String> {
    let parts = text.split(',').flat_map(|part| part.split(" and ")).map(|part| part.trim().trim_start_matches("and "));
    parts.filter(|part| !part.is_empty()).map(|part| part.trim().to_owned()).collect()
}

fn level(line: usize, name: &str) -> Result<FeatureLevel, PageError> {
    name.parse().map_err(|unknown| error(line, format!("{unknown}")))
}

fn row(line: usize, columns: &[String], cells: &[String]) -> Result<(usize, SupportRow, bool), PageError> {
    let find = |title: &str| columns.iter().position(|column| column == title).and_then(|index| cells.get(index));
    let cell = |title: &str| find(title).ok_or_else(|| error(line, format!("the table has no column `{title}`")));
    let kind = cell("Kind")?.to_lowercase();
    let data_types = cell("Supported data types")?.split(',').map(str::trim).filter(|name| !name.is_empty());
    let sizes = find("Dimensions");
    let inside = sizes.map_or("", |text| text.trim_start_matches('{').trim_end_matches('}'));
    let inside = inside.split(',').map(str::trim).filter(|size| !size.is_empty());
    let counts = |text: &str| {
        let (min, max) = text.split_once(" to ").unwrap_or((text, text));
        Some(DimensionCounts { min: min.trim().parse().ok()?, max: max.trim().parse().ok()? })
    };
    let row = SupportRow {
        name: cell("Tensor")?.clone(),
        kind: match (kind.contains("input"), kind.contains("output")) {
            (true, false) => FieldKind::InputTensor,
            (false, true) => FieldKind::OutputTensor,
            _ => return Err(error(line, format!("the kind `{kind}` is neither an input nor an output"))),
        },
        optional: kind.contains("optional"),
        dimension_counts: counts(cell("Supported dimension counts")?)
            .ok_or_else(|| error(line, "dimension counts must have a form such as `4` or `1 to 8`"))?,
        data_types: data_types
            .map(|name| name.parse().map_err(|unknown| error(line, format!("{unknown}"))))
            .collect::<Result<Vec<_>, _>>()
            .map(Some)?,
        symbolic_sizes: inside
            .map(|size| size.parse::<SymbolicSize>().map_err(|unknown| error(line, unknown)))
            .collect::<Result<_, _>>()?,
    };
    Ok((line, row, sizes.is_some()))
}
