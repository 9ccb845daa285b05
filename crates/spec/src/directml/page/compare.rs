//! Compares a page with `specs/directml`.

use super::super::field::Field;
use super::super::load::DirectMl;
use super::super::names::listed;
use super::super::operator::{Operator, Property};
use super::super::support::{SupportBlock, SupportRow, SupportTable};
use super::{OperatorPage, PageBlock, PageRow, PageTable};
use crate::page::{At, Comparison, Disagreement};
use std::collections::{BTreeMap, BTreeSet};

impl OperatorPage {
    /// Compares the page with `directml`. If the page does not name its operator, the result is the comparison with the
    /// fewest disagreements. If the page agrees fully with several operators, the result names all of them.
    pub fn compare(&self, directml: &DirectMl) -> Comparison {
        if let Some(At { line, value }) = &self.desc_struct {
            return match directml.operators().iter().find(|operator| operator.desc_struct == *value) {
                Some(operator) => self.compare_with(operator),
                None => Comparison {
                    compared: vec![value.clone()],
                    disagreements: vec![disagreement(value, *line, "exists", Some("yes".to_owned()), None)],
                    not_on_page: Vec::new(),
                },
            };
        }
        let candidates: Vec<&Operator> = self.candidates(directml);
        let mut results: Vec<Comparison> = candidates.iter().map(|operator| self.compare_with(operator)).collect();
        let fewest = results.iter().map(|result| result.disagreements.len()).min().unwrap_or(0);
        results.retain(|result| result.disagreements.len() == fewest);
        if fewest > 0 {
            results.truncate(1);
        }
        let disagreements = match results.first() {
            Some(first) => first.disagreements.clone(),
            None => vec![disagreement("the page", 1, "operator with these fields", Some("one".to_owned()), None)],
        };
        let compared = results.into_iter().flat_map(|result| result.compared).collect();
        Comparison { compared, disagreements, not_on_page: Vec::new() }
    }

    /// Returns the operators that have the fields of the page. If formulas on the page contain the last word of an
    /// operator's name, such as the `min` of ELEMENT_WISE_MIN, returns only the operators for which this holds.
    fn candidates<'a>(&self, directml: &'a DirectMl) -> Vec<&'a Operator> {
        let fields = || self.fields.iter().map(|field| &field.value.name);
        let same = |operator: &&Operator| operator.fields.iter().map(|field| &field.name).eq(fields());
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

    /// Compares the page with one operator.
    pub fn compare_with(&self, operator: &Operator) -> Comparison {
        let mut facts = Facts { operator, found: Vec::new() };
        facts.fields(self);
        if let Some(At { line, value }) = &self.in_place {
            facts.compare(*line, "in-place execution", value, &operator.in_place);
        }
        if let Some(At { line, value }) = &self.introduced {
            facts.compare(*line, "introduced", value, &operator.introduced);
        }
        facts.constraints(self);
        facts.tables(self);
        facts.found.sort_by_key(|found| found.line);
        Comparison { compared: vec![operator.name.clone()], disagreements: facts.found, not_on_page: Vec::new() }
    }
}

fn disagreement(name: &str, line: usize, fact: &str, page: Option<String>, specs: Option<String>) -> Disagreement {
    Disagreement { line, version: name.to_owned(), fact: fact.to_owned(), page, specs }
}

struct Facts<'a> {
    operator: &'a Operator,
    found: Vec<Disagreement>,
}

impl Facts<'_> {
    fn add(&mut self, line: usize, fact: &str, page: Option<String>, specs: Option<String>) {
        self.found.push(disagreement(&self.operator.name, line, fact, page, specs));
    }

    fn compare<T: PartialEq + ToString>(&mut self, line: usize, fact: &str, page: &T, specs: &T) {
        if page != specs {
            self.add(line, fact, Some(page.to_string()), Some(specs.to_string()));
        }
    }

    fn fields(&mut self, page: &OperatorPage) {
        let Some(At { line: first, .. }) = page.fields.first() else { return };
        for (place, At { line, value: field }) in page.fields.iter().enumerate() {
            let fact = |what: &str| format!("field {}{what}", field.name);
            let Some(known) = self.operator.field(&field.name) else {
                self.add(*line, &fact(""), Some("present".to_owned()), None);
                continue;
            };
            let index = self.operator.fields.iter().position(|known| known.name == field.name).unwrap_or(place);
            self.compare(*line, &fact(" position"), &place, &index);
            if let Some(c_type) = &field.c_type {
                self.compare(*line, &fact(" type"), c_type, &known.c_type);
            }
            // Older pages do not mark fields that may be null, so a missing mark is no disagreement. The support tables
            // mark optional tensors.
            if field.optional && !known.optional {
                self.add(*line, &fact(" optional"), Some("true".to_owned()), Some("false".to_owned()));
            }
        }
        let there = |known: &Field| page.fields.iter().any(|field| field.value.name == known.name);
        let missing: Vec<&Field> = self.operator.fields.iter().filter(|known| !there(known)).collect();
        for known in missing {
            self.add(*first, &format!("field {}", known.name), None, Some("present".to_owned()));
        }
    }

    fn constraints(&mut self, page: &OperatorPage) {
        let of_page = page.constraints.iter().map(|at| &at.value);
        let of_page = groups(of_page.map(|(properties, tensors)| (properties.clone(), tensors.clone())));
        let of_specs = groups(self.operator.tensor_constraints.iter().map(|constraint| {
            (constraint.same.iter().copied().collect(), constraint.tensors.iter().cloned().collect())
        }));
        let line = page.constraints.first().map(|at| at.line).or(page.all_constraints);
        for property in [Property::DataType, Property::DimensionCount, Property::Sizes] {
            let (on_page, in_specs) = (&of_page[&property], &of_specs[&property]);
            let wrong = if page.all_constraints.is_some() {
                on_page != in_specs
            } else {
                // The section has sentences that `Reader` did not understand. They may state the constraints that
                // seem to be missing on the page.
                !on_page.iter().all(|group| in_specs.iter().any(|known| known.is_superset(group)))
            };
            if let Some(line) = line.filter(|_| wrong) {
                let text = |groups: &BTreeSet<BTreeSet<String>>| {
                    let groups: Vec<String> = groups.iter().map(|group| format!("[{}]", listed(group))).collect();
                    (!groups.is_empty()).then(|| groups.join(" "))
                };
                self.add(line, &format!("tensors of the same {property:?}"), text(on_page), text(in_specs));
            }
        }
    }

    fn tables(&mut self, page: &OperatorPage) {
        let short = |name: &String| name.rsplit_once("_FUNCTION_").map_or(name.as_str(), |(_, short)| short).to_owned();
        for table in &page.tables {
            let line = table.blocks.first().map_or(1, |at| at.line);
            let names = |known: &&SupportTable| known.functions.iter().map(short).collect::<BTreeSet<_>>();
            let known = self.operator.support.iter().find(|known| names(known) == table.functions);
            match known {
                Some(known) => self.blocks(line, table, known),
                None => {
                    let of_specs: Vec<String> =
                        self.operator.support.iter().map(|known| format!("[{}]", listed(names(&known)))).collect();
                    let of_page = Some(format!("[{}]", listed(&table.functions)));
                    self.add(line, "functions of a table", of_page, Some(of_specs.join(" ")));
                }
            }
        }
        let line = page.tables.first().and_then(|table| table.blocks.first()).map(|at| at.line);
        let (on_page, in_specs) = (page.tables.len(), self.operator.support.len());
        if let Some(line) = line {
            self.compare(line, "number of support tables", &on_page, &in_specs);
        }
    }

    fn blocks(&mut self, line: usize, page: &PageTable, specs: &SupportTable) {
        let first = specs.blocks.last().map_or(self.operator.introduced, |block| block.min_feature_level);
        let level = |at: &At<PageBlock>| at.value.level.unwrap_or(first);
        for at in &page.blocks {
            let level = level(at);
            match specs.blocks.iter().find(|block| block.min_feature_level == level) {
                Some(block) => self.rows(at, block),
                None => self.add(at.line, &format!("support from {level}"), Some("present".to_owned()), None),
            }
        }
        if !page.blocks.iter().map(level).is_sorted_by(|a, b| a > b) {
            let levels = listed(page.blocks.iter().map(level));
            self.add(line, "levels", Some(levels), Some("newest first, each once".to_owned()));
        }
        for block in &specs.blocks {
            if !page.blocks.iter().any(|at| level(at) == block.min_feature_level) {
                let fact = format!("support from {}", block.min_feature_level);
                self.add(line, &fact, None, Some("present".to_owned()));
            }
        }
    }

    fn rows(&mut self, page: &At<PageBlock>, block: &SupportBlock) {
        let level = block.min_feature_level;
        let mut seen = BTreeSet::new();
        for At { line, value } in &page.value.rows {
            match block.row(&value.name) {
                Some(row) if seen.insert(&value.name) => self.row(*line, &format!("{level} {}", row.name), value, row),
                Some(_) => self.add(*line, &format!("{level} {}", value.name), Some("a second row".to_owned()), None),
                None => self.add(*line, &format!("{level} {}", value.name), Some("present".to_owned()), None),
            }
        }
        for row in block.tensors.iter().filter(|row| !seen.contains(&row.name)) {
            self.add(page.line, &format!("{level} {}", row.name), None, Some("present".to_owned()));
        }
    }

    fn row(&mut self, line: usize, place: &str, page: &PageRow, specs: &SupportRow) {
        let fact = |what: &str| format!("{place} {what}");
        self.compare(line, &fact("kind"), &page.kind.name(), &specs.kind.name());
        self.compare(line, &fact("optional"), &page.optional, &specs.optional);
        self.compare(line, &fact("dimension counts"), &page.dimension_counts, &specs.dimension_counts);
        let (on_page, in_specs): (BTreeSet<_>, BTreeSet<_>) =
            (page.data_types.iter().collect(), specs.data_types.iter().flatten().collect());
        if on_page != in_specs {
            let text = |names: Vec<_>| (!names.is_empty()).then(|| listed(names));
            let only_page = text(on_page.difference(&in_specs).collect());
            let only_specs = text(in_specs.difference(&on_page).collect());
            self.add(line, &fact("data types, those that differ"), only_page, only_specs);
        }
        if let Some(sizes) = page.sizes.as_ref().filter(|sizes| **sizes != specs.symbolic_sizes) {
            self.add(line, &fact("sizes"), Some(listed(sizes)), Some(listed(&specs.symbolic_sizes)));
        }
    }
}

/// Returns for each property the sets of tensors that must agree in it. Sets that share a tensor are joined.
fn groups(
    constraints: impl Iterator<Item = (BTreeSet<Property>, BTreeSet<String>)>,
) -> BTreeMap<Property, BTreeSet<BTreeSet<String>>> {
    let properties = [Property::DataType, Property::DimensionCount, Property::Sizes];
    let mut found: BTreeMap<Property, Vec<BTreeSet<String>>> = properties.map(|property| (property, Vec::new())).into();
    for (properties, tensors) in constraints {
        for property in properties {
            let groups = found.entry(property).or_default();
            let (joined, mut apart): (Vec<_>, Vec<_>) =
                std::mem::take(groups).into_iter().partition(|group| !group.is_disjoint(&tensors));
            apart.push(joined.into_iter().flatten().chain(tensors.clone()).collect());
            *groups = apart;
        }
    }
    found.into_iter().map(|(property, groups)| (property, groups.into_iter().collect())).collect()
}
