//! Makes two lists: the kernels, from the functions in their folder, and the names of all rules, from `specs/onnx`.
//!
//! A kernel is a `pub fn name(call: &Call) -> Answer` in a file below `crates/oracle/src/ops`. The function and the
//! file are named after the operator, in snake case. The kernels of a domain other than `ai.onnx` are in a folder that
//! is named after the domain. The module `recipes` makes the list of recipes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::Generated;

/// The folder of kernels.
const KERNELS: &str = "crates/oracle/src/ops";

/// The domain and the name of every operator of `specs/onnx`.
pub type Operators = Vec<(String, String)>;

/// A module below a folder of kernels or recipes.
pub struct Module {
    /// The domain of its operators.
    domain: String,
    /// The path below the folder: `clip`, `ai_onnx_ml::scaler`.
    pub path: String,
    /// The path of the file.
    pub file: PathBuf,
    /// The contents of the file.
    pub text: String,
}

impl Module {
    /// Returns `#[cfg(feature = "images")]` for the module's entries if the module has the line
    /// `#![cfg(feature = "images")]`, and an empty text if it has no such line.
    pub fn condition(&self) -> String {
        let inner = self.text.lines().find_map(|line| line.strip_prefix("#![cfg("));
        inner.map_or(String::new(), |rest| format!("#[cfg({rest} "))
    }
}

/// Returns the lists of kernels and of rules of the workspace at `root`.
///
/// # Errors
/// Fails if a file or folder cannot be read, if a folder is named after no domain, if a file is named after no
/// operator, if two files are named after the same operator, or if a kernel is named after another operator than its
/// file.
pub fn lists(root: &Path, operators: &Operators, rules: &[OperatorRules]) -> anyhow::Result<Vec<Generated>> {
    let mut all = kernels(root, operators)?;
    all.push(labels(rules));
    Ok(all)
}

/// Returns the paths in a folder, sorted.
pub fn sorted(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// Returns the name of a file without its extension.
pub fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns whether a file has this extension.
pub fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|e| e == extension)
}

/// Reads the names of all operators from the files in `specs/onnx`.
pub fn operators(root: &Path) -> anyhow::Result<Operators> {
    let mut all = Operators::new();
    for domain in sorted(&root.join("specs/onnx"))?.iter().filter(|path| path.is_dir()) {
        let name = domain.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let files = sorted(domain)?;
        all.extend(files.iter().filter(|f| has_extension(f, "json")).map(|file| (name.clone(), stem(file))));
    }
    Ok(all)
}

/// Returns the modules in a folder of kernels or recipes. The modules in folders of domains come last.
pub fn modules(folder: &Path, operators: &Operators) -> anyhow::Result<Vec<Module>> {
    let mut found = Vec::new();
    let module = |domain: &str, path: String, file: &Path| -> anyhow::Result<Module> {
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        Ok(Module { domain: domain.to_owned(), path, file: file.to_owned(), text })
    };
    let is_module = |path: &&PathBuf| has_extension(path, "rs") && stem(path) != "mod";
    let paths = sorted(folder)?;
    for file in paths.iter().filter(is_module) {
        found.push(module("ai.onnx", stem(file), file)?);
    }
    for inner in paths.iter().filter(|path| path.is_dir()) {
        let name = stem(inner);
        // A folder that has the name of a module beside it belongs to that module.
        if inner.with_extension("rs").is_file() {
            continue;
        }
        let Some((domain, _)) = operators.iter().find(|(domain, _)| domain.replace('.', "_") == name) else {
            bail!("{}: the folder must have the name of a domain, with `_` for each `.`", inner.display());
        };
        for file in sorted(inner)?.iter().filter(is_module) {
            found.push(module(domain, format!("{name}::{}", stem(file)), file)?);
        }
    }
    Ok(found)
}

/// Returns the `mod` lines for modules and for folders of modules, and the `mod.rs` of each of these folders.
pub fn declarations(folder: &str, modules: &[Module], about: &str) -> (String, Vec<Generated>) {
    let mut top = Vec::new();
    let mut inner: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for module in modules {
        match module.path.split_once("::") {
            None => top.push(module.path.as_str()),
            Some((outer, name)) => inner.entry(outer).or_default().push(name),
        }
    }
    top.extend(inner.keys());
    let lines = |names: &[&str]| names.iter().map(|name| format!("pub mod {name};\n")).collect::<String>();
    let files = inner.iter().map(|(outer, names)| Generated {
        path: Path::new(folder).join(outer).join("mod.rs"),
        text: format!("//! {about} of the domain `{}`.\n//!\n{WRITTEN}\n{}", outer.replace('_', "."), lines(names)),
    });
    (lines(&top), files.collect())
}

/// The sentence at the head of generated files.
pub const WRITTEN: &str = "//! Written by `cargo xtask generate`; not edited by hand.\n";

/// Returns a name without `_` and in lower case. The names of operators and functions are compared in this form.
pub fn key(name: &str) -> String {
    name.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect()
}

fn find<'a>(operators: &'a Operators, domain: &str, name: &str) -> Option<&'a (String, String)> {
    operators.iter().find(|(d, n)| d == domain && key(n) == key(name))
}

/// Returns the modules with the operators that they are named after, sorted by operator.
///
/// # Errors
/// Fails if a module is named after no operator, or if two modules are named after the same operator.
pub fn by_operator<'a>(
    modules: &'a [Module],
    operators: &'a Operators,
) -> anyhow::Result<BTreeMap<&'a (String, String), &'a Module>> {
    let mut all: BTreeMap<_, &Module> = BTreeMap::new();
    for module in modules {
        let Some(operator) = find(operators, &module.domain, &stem(&module.file)) else {
            bail!("{}: named after no operator of {}", module.file.display(), module.domain);
        };
        if let Some(other) = all.insert(operator, module) {
            bail!("{} and {}: both are named after {}", other.file.display(), module.file.display(), operator.1);
        }
    }
    Ok(all)
}

/// Returns the names of the public functions in a text that have `arguments` after the opening parenthesis.
pub fn functions<'a>(text: &'a str, arguments: &'a str) -> impl Iterator<Item = &'a str> {
    let name = move |line: &'a str| {
        let (name, rest) = line.strip_prefix("pub fn ")?.split_once('(')?;
        rest.starts_with(arguments).then_some(name)
    };
    text.lines().filter_map(name)
}

fn kernels(root: &Path, operators: &Operators) -> anyhow::Result<Vec<Generated>> {
    let modules = modules(&root.join(KERNELS), operators)?;
    let mut kernels = String::new();
    for ((domain, operator), module) in by_operator(&modules, operators)? {
        for name in functions(&module.text, "call: &Call) -> Answer") {
            if key(name) != key(operator) {
                bail!("{}: `{name}` is not the kernel of {operator}", module.file.display());
            }
            kernels += &format!("{}({domain:?}, {operator:?}, {}::{name}),\n", module.condition(), module.path);
        }
    }
    let (lines, mut all) = declarations(KERNELS, &modules, "Kernels");
    let text = format!(
        "//! Kernels: one operator, one file.\n//!\n{WRITTEN}\nuse super::call::Kernel;\n\n{lines}\n\
         /// Every kernel, sorted by domain and operator.\npub static KERNELS: &[(&str, &str, Kernel)] = &[\n{kernels}];\n"
    );
    all.push(Generated { path: Path::new(KERNELS).join("mod.rs"), text });
    Ok(all)
}

/// The rules of an operator.
pub struct OperatorRules {
    pub operator: (String, String),
    /// Names of its constraints, in the order of the file.
    pub constraints: Vec<String>,
    /// For each rule: whether it is a constraint, and its name.
    entries: Vec<(bool, String)>,
}

#[derive(serde::Deserialize)]
struct RulesFile {
    #[serde(default)]
    constraint: Vec<Entry>,
    #[serde(default)]
    behaviour: Vec<Entry>,
}

#[derive(serde::Deserialize)]
struct Entry {
    name: String,
}

pub fn rules_files(root: &Path, operators: &Operators) -> anyhow::Result<Vec<OperatorRules>> {
    let mut all = Vec::new();
    for (domain, name) in operators {
        let path = root.join("specs/onnx").join(domain).join(format!("{name}.rules.toml"));
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let file: RulesFile = toml::from_str(&text).with_context(|| format!("cannot read {}", path.display()))?;
        let mut constraints: Vec<String> = Vec::new();
        let mut entries = Vec::new();
        for entry in file.constraint {
            if !constraints.contains(&entry.name) {
                constraints.push(entry.name.clone());
            }
            entries.push((true, entry.name));
        }
        entries.extend(file.behaviour.into_iter().map(|entry| (false, entry.name)));
        all.push(OperatorRules { operator: (domain.clone(), name.clone()), constraints, entries });
    }
    Ok(all)
}

/// Returns the name of the constant for a label: `AXIS_IN_RANGE` for `axis-in-range`.
pub fn constant(label: &str) -> String {
    label.to_uppercase().replace('-', "_")
}

/// Returns the file with a constant for each name of a rule, documented with the operators that have a rule of this name.
fn labels(rules: &[OperatorRules]) -> Generated {
    let mut names: BTreeMap<&str, (bool, Vec<&str>)> = BTreeMap::new();
    for of_operator in rules {
        for (is_constraint, name) in &of_operator.entries {
            let (_, operators) = names.entry(name).or_insert((*is_constraint, Vec::new()));
            if operators.last() != Some(&of_operator.operator.1.as_str()) {
                operators.push(&of_operator.operator.1);
            }
        }
    }
    let entries = names.iter().map(|(name, (is_constraint, operators))| {
        let kind = if *is_constraint { "constraint" } else { "behaviour" };
        format!("    /// A {kind} of {}\n    {} = {kind} {name:?};\n", operators.join(", "), constant(name))
    });
    let text = format!(
        "//! The names of the rules of all operators. Their texts are in `specs/onnx`.\n//!\n{WRITTEN}\n\
         crate::label::labels! {{\n{}}}\n",
        entries.collect::<String>()
    );
    Generated { path: PathBuf::from("crates/spec/src/rule.rs"), text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(file: &str) -> Module {
        Module { domain: "ai.onnx".to_owned(), path: stem(Path::new(file)), file: file.into(), text: String::new() }
    }

    #[test]
    fn files_are_named_after_operators() {
        let operators = ["Or", "ReduceL2"].map(|name| ("ai.onnx".to_owned(), name.to_owned())).to_vec();
        let names = |files: &[&str]| {
            let modules: Vec<Module> = files.iter().map(|file| module(file)).collect();
            by_operator(&modules, &operators).map(|all| all.len()).map_err(|error| error.to_string())
        };
        assert_eq!(names(&["reduce_l2.rs", "or_.rs"]), Ok(2));
        assert_eq!(names(&["reduce.rs"]), Err("reduce.rs: named after no operator of ai.onnx".to_owned()));
        assert_eq!(names(&["or.rs", "or_.rs"]), Err("or.rs and or_.rs: both are named after Or".to_owned()));
    }
}
