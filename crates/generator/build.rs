//! Derives the list of recipes from the functions in `src/recipes/`, matched to the operators of `specs/onnx/`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

fn key(name: &str) -> String {
    name.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect()
}

fn files(dir: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(dir) else { return found };
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[derive(Default)]
struct Entry {
    positive: Option<String>,
    negatives: Vec<(u8, String)>,
    features: Vec<String>,
}

/// `gather_c2` is (`gather`, 2).
fn negative(name: &str) -> Option<(&str, u8)> {
    let (operator, number) = name.rsplit_once("_c")?;
    Some((operator, number.parse().ok()?))
}

fn main() {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let recipes = root.join("src/recipes");
    let specs = root.join("../../specs/onnx");
    println!("cargo::rerun-if-changed={}", recipes.display());
    println!("cargo::rerun-if-changed={}", specs.display());
    println!("cargo::rerun-if-changed=build.rs");
    let operators: Vec<(String, String)> = files(&specs, "json")
        .iter()
        .filter_map(|p| {
            let domain = p.parent()?.file_name()?.to_str()?.to_owned();
            Some((domain, p.file_stem()?.to_str()?.to_owned()))
        })
        .collect();
    let mut modules = String::new();
    let mut entries: BTreeMap<(String, String), Entry> = BTreeMap::new();
    for path in files(&recipes, "rs") {
        let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default().to_owned();
        if stem == "mod" {
            continue;
        }
        let domain = path.parent().filter(|p| *p != recipes).and_then(|p| p.file_name()).and_then(|n| n.to_str());
        let module = match domain {
            Some(d) => format!("{}_{stem}", d.replace('.', "_")),
            None => stem.clone(),
        };
        writeln!(modules, "#[path = {:?}]\nmod {module};", path.display().to_string()).expect("a string takes all");
        let text = fs::read_to_string(&path).unwrap_or_default();
        let features: Vec<String> = text
            .match_indices(".feature(\"")
            .filter_map(|(at, found)| text[at + found.len()..].split_once('"').map(|(name, _)| name.to_owned()))
            .collect();
        for line in text.lines() {
            let Some(rest) = line.strip_prefix("pub fn ") else { continue };
            let Some((name, arguments)) = rest.split_once('(') else { continue };
            if !arguments.starts_with("draw: &mut Draw)") {
                continue;
            }
            let domain = domain.unwrap_or("ai.onnx");
            let find = |name: &str| operators.iter().find(|(d, n)| d == domain && key(n) == key(name)).cloned();
            let function = format!("{module}::{name}");
            match (find(name), negative(name).and_then(|(operator, n)| Some((find(operator)?, n)))) {
                (Some(operator), _) => {
                    let entry = entries.entry(operator).or_default();
                    entry.positive = Some(function);
                    entry.features = features.clone();
                }
                (None, Some((operator, number))) => {
                    entries.entry(operator).or_default().negatives.push((number, function));
                }
                _ => panic!(
                    "{}: `{name}` is no operator of {domain} in specs/onnx, nor a negative recipe of one",
                    path.display()
                ),
            }
        }
    }
    let mut list = String::from("static RECIPES: &[Recipe] = &[\n");
    for ((domain, name), mut entry) in entries {
        let positive = entry.positive.unwrap_or_else(|| panic!("{name} has negative recipes and no other"));
        entry.negatives.sort();
        let negatives: Vec<String> =
            entry.negatives.iter().map(|(n, f)| format!("(Label::Constraint({n}), {f} as Recipe1)")).collect();
        writeln!(
            list,
            "    Recipe {{ domain: {domain:?}, name: {name:?}, positive: {positive}, negatives: &[{}], features: &{:?} }},",
            negatives.join(", "),
            entry.features
        )
        .expect("a string takes all");
    }
    list.push_str("];\n");
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("recipes.rs"), modules + &list).expect("the build folder takes files");
}
