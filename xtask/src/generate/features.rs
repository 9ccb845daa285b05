//! Finds the features that the cases of a recipe can have: the names in `draw.feature("...")` in the recipe and in the
//! functions that it calls, in its own file and in the files of shared code.
//!
//! The search relies on rustfmt's layout: an item starts on the line that its keyword begins. The search follows a
//! function where the function is called (`name(`), a type or a constant where its name occurs, and shared code by its
//! path (`pooling::exponent`).

use std::collections::{BTreeMap, BTreeSet};

use anyhow::bail;

/// The beginning of a `use` line that imports shared code.
const SHARED: &str = "use crate::families::";

/// One item of a source file: a function, a constant, or a type with its methods.
#[derive(Default)]
struct Item {
    features: Vec<String>,
    /// The items that it names, by module and name. An item of the same file has no module here.
    named: BTreeSet<(Option<String>, String)>,
}

/// The items of a source file by name.
pub struct Source {
    items: BTreeMap<String, Item>,
}

impl Source {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// Fails if a `use` line imports an item of shared code instead of the item's module.
    pub fn read(text: &str) -> anyhow::Result<Source> {
        let modules = imported(text)?;
        let mut items: BTreeMap<String, Item> = BTreeMap::new();
        let mut current = None;
        for line in text.lines() {
            current = declared(line).map(str::to_owned).or(current);
            let (Some(name), false) = (&current, line.trim_start().starts_with("//")) else { continue };
            let item = items.entry(name.clone()).or_default();
            for (at, start) in line.match_indices(".feature(\"") {
                let name = line[at + start.len()..].split('"').next().unwrap_or_default();
                item.features.push(name.to_owned());
            }
            item.named.extend(named(line, &modules));
        }
        Ok(Source { items })
    }
}

/// Returns the features that are named in a function or in what it calls, without duplicates. `shared` has the files of
/// shared code, by module.
pub fn features(source: &Source, function: &str, shared: &BTreeMap<String, Source>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut left = vec![(None, function.to_owned())];
    while let Some((module, name)) = left.pop() {
        let file = match &module {
            None => Some(source),
            Some(module) => shared.get(module),
        };
        let Some(item) = file.and_then(|file| file.items.get(&name)) else { continue };
        if !seen.insert((module.clone(), name)) {
            continue;
        }
        for feature in &item.features {
            if !found.contains(feature) {
                found.push(feature.clone());
            }
        }
        // A name without a path belongs to the file that uses it.
        left.extend(item.named.iter().rev().map(|(to, name)| (to.clone().or(module.clone()), name.clone())));
    }
    found
}

/// Returns the name of the item that begins on this line.
fn declared(line: &str) -> Option<&str> {
    let line = line.strip_prefix("pub ").unwrap_or(line);
    let (keyword, rest) = line.split_once([' ', '<'])?;
    let rest = match keyword {
        "fn" | "struct" | "enum" | "const" | "static" | "type" => rest,
        "impl" => rest.rsplit_once(" for ").map_or(rest, |(_, name)| name),
        _ => return None,
    };
    Some(identifier(rest)).filter(|name| !name.is_empty())
}

/// Returns the identifier that a text begins with.
fn identifier(text: &str) -> &str {
    let end = text.find(|c: char| c != '_' && !c.is_alphanumeric());
    &text[..end.unwrap_or(text.len())]
}

/// Returns the modules of shared code that a file imports. Leaves out `pub use` lines: these re-export recipes of
/// invalid cases, which the search does not follow.
fn imported(text: &str) -> anyhow::Result<BTreeSet<&str>> {
    let mut modules = BTreeSet::new();
    for (at, _) in text.match_indices(SHARED).filter(|(at, _)| !text[..*at].ends_with("pub ")) {
        let list = text[at + SHARED.len()..].split(';').next().unwrap_or_default();
        for name in list.trim_matches(['{', '}']).split(',').map(str::trim).filter(|name| !name.is_empty()) {
            if identifier(name) != name {
                bail!(
                    "`{SHARED}{list}`: import the module and name functions by path, so that their features are found"
                );
            }
            modules.insert(name);
        }
    }
    Ok(modules)
}

/// Returns the items that a line of code names.
fn named(line: &str, modules: &BTreeSet<&str>) -> Vec<(Option<String>, String)> {
    let mut found = Vec::new();
    // Text between quotation marks is not code. The sources have no escaped quotation marks, which would seem to end a
    // string here.
    for code in line.split('"').step_by(2) {
        let mut rest = code;
        let mut before = "";
        while let Some(start) = rest.find(|c: char| c == '_' || c.is_alphanumeric()) {
            let gap = &rest[..start];
            let name = identifier(&rest[start..]);
            let after = &rest[start + name.len()..];
            let path = gap == "::" && modules.contains(before);
            if path {
                found.push((Some(before.to_owned()), name.to_owned()));
            } else if before == "fn" || gap.ends_with('.') && !gap.ends_with("..") {
                // A declaration, a method or a field.
            } else if after.starts_with('(') || name.starts_with(char::is_uppercase) {
                found.push((None, name.to_owned()));
            }
            (before, rest) = (name, after);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECIPE: &str = r#"
use crate::families::{pooling, windows};

/// Draws what `other(draw)` does not.
pub fn max_pool(draw: &mut Draw) {
    let sizes = windows::sizes(draw, "other(");
    if sizes.is_empty() {
        draw.feature("no windows");
    }
    order(draw, ORDERS);
}

const ORDERS: &[i64] = &[0, 1];

fn order(draw: &mut Draw, orders: &[i64]) {
    draw.feature("no windows");
    draw.feature("columns first");
}

fn other(draw: &mut Draw) {
    draw.feature("of nobody");
}
"#;

    const SHARED: &str = r#"
struct Axis {
    extent: i64,
}

impl Axis {
    fn draw(draw: &mut Draw) -> Axis {
        draw.feature("wide padding");
    }
}

pub fn sizes(draw: &mut Draw, name: &str) -> Vec<i64> {
    let axis = Axis::draw(draw);
    order(draw)
}

fn order(draw: &mut Draw) -> Vec<i64> {
    draw.feature("asymmetric padding");
}

pub fn other(draw: &mut Draw) {
    draw.feature("of nobody");
}
"#;

    #[test]
    fn calls_are_followed_in_the_file_and_into_shared_code() {
        let shared = BTreeMap::from([("windows".to_owned(), Source::read(SHARED).unwrap())]);
        let mut found = features(&Source::read(RECIPE).unwrap(), "max_pool", &shared);
        found.sort();
        assert_eq!(found, ["asymmetric padding", "columns first", "no windows", "wide padding"]);
    }

    #[test]
    fn shared_code_is_imported_by_its_module() {
        let read = |line: &str| Source::read(&format!("use crate::families::{line};\n")).map(|_| ());
        read("pooling").unwrap();
        read("{\n    pooling, windows,\n}").unwrap();
        assert!(read("pooling::exponent").unwrap_err().to_string().contains("import the module"));
        assert!(read("pooling::{self, exponent}").is_err());
        Source::read("pub use crate::families::pooling::window_fits_axis;\n").unwrap();
    }
}
