//! Finds the features that the cases of a recipe can have: the names in `draw.feature("...")` in the recipe and in the
//! functions that it calls, in its own file and in the files of shared code.
//!
//! The search follows the items of the same file by their name, and shared code by its path (`pooling::exponent`).

use std::collections::{BTreeMap, BTreeSet};

use anyhow::bail;

use xtask::rust::Named;

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
    /// Fails if the text is not Rust, or if a `use` line imports an item of shared code instead of the item's module.
    pub fn read(text: &str) -> anyhow::Result<Source> {
        let file = syn::parse_file(text)?;
        let mut modules = BTreeSet::new();
        // Recipes of invalid cases, which `pub use` lines re-export, are not followed.
        let imports =
            |item: &&syn::Item| matches!(item, syn::Item::Use(item) if matches!(item.vis, syn::Visibility::Inherited));
        for (_, path) in file.items.iter().filter(imports).flat_map(|item| Named::by(item).paths) {
            match path.iter().map(String::as_str).collect::<Vec<_>>()[..] {
                ["crate", "families", module] => _ = modules.insert(module.to_owned()),
                ["crate", "families", ..] => bail!(
                    "`{}`: import the module and name functions by path, so that their features are found",
                    path.join("::")
                ),
                _ => {}
            }
        }
        let mut items: BTreeMap<String, Item> = BTreeMap::new();
        for (item, name) in file.items.iter().filter_map(|item| Some((item, declared(item)?))) {
            let Named { paths, calls, features, .. } = Named::by(item);
            let item = items.entry(name).or_default();
            item.features.extend(features);
            for (_, path) in paths {
                if let [module, name, ..] = &path[..]
                    && modules.contains(module)
                {
                    item.named.insert((Some(module.clone()), name.clone()));
                    continue;
                }
                // A name that is neither called nor that of a type or a constant is a variable.
                let is_item = |name: &String| calls.contains(name) || name.starts_with(char::is_uppercase);
                item.named.extend(path.into_iter().filter(is_item).map(|name| (None, name)));
            }
        }
        Ok(Source { items })
    }
}

/// Returns the name of an item. The methods of a type belong to the type.
fn declared(item: &syn::Item) -> Option<String> {
    let name = match item {
        syn::Item::Fn(item) => &item.sig.ident,
        syn::Item::Struct(item) => &item.ident,
        syn::Item::Enum(item) => &item.ident,
        syn::Item::Const(item) => &item.ident,
        syn::Item::Static(item) => &item.ident,
        syn::Item::Type(item) => &item.ident,
        syn::Item::Impl(item) => match &*item.self_ty {
            syn::Type::Path(path) => &path.path.segments.last()?.ident,
            _ => return None,
        },
        _ => return None,
    };
    Some(name.to_string())
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
