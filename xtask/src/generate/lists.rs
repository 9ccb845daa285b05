//! The lists of kernels and recipes, from the functions in their folders and the operators of `specs/onnx`, and the names
//! of all rules.
//!
//! A kernel is a `pub fn name(call: &Call) -> Answer` below `crates/oracle/src/ops`, and a recipe is a
//! `pub fn name(draw: &mut Draw)` below `crates/generator/src/recipes`. `name` is the operator's name in snake case; a
//! recipe that violates a constraint adds the name of the constraint. A folder of modules is a domain other than
//! `ai.onnx`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::Generated;

/// The folder of kernels.
const KERNELS: &str = "crates/oracle/src/ops";
/// The folder of recipes.
const RECIPES: &str = "crates/generator/src/recipes";

/// Returns the domain and the name of every operator of `specs/onnx`.
type Operators = Vec<(String, String)>;

/// A module below a folder of kernels or recipes.
struct Module {
    /// The domain of its operators.
    domain: String,
    /// The path below the folder: `clip`, `ai_onnx_ml::scaler`.
    path: String,
    file: PathBuf,
    text: String,
}

impl Module {
    /// Returns the attribute for entries that need a feature, if the module begins with `#![cfg(feature = "images")]`.
    fn condition(&self) -> String {
        let inner = self.text.lines().find_map(|line| line.strip_prefix("#![cfg("));
        inner.map_or(String::new(), |rest| format!("#[cfg({rest} "))
    }
}

/// Returns the lists of the workspace at `root`.
///
/// # Errors
/// Fails if a folder cannot be read, or if a function is not named after an operator.
pub fn lists(root: &Path) -> anyhow::Result<Vec<Generated>> {
    let operators = operators(root)?;
    let mut all = kernels(root, &operators)?;
    let rules = rules_files(root, &operators)?;
    all.extend(recipes(root, &operators, &rules)?);
    all.push(labels(&rules));
    Ok(all)
}

fn sorted(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|e| e == extension)
}

fn operators(root: &Path) -> anyhow::Result<Operators> {
    let mut all = Operators::new();
    for domain in sorted(&root.join("specs/onnx"))?.iter().filter(|path| path.is_dir()) {
        let name = domain.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let files = sorted(domain)?;
        all.extend(files.iter().filter(|f| has_extension(f, "json")).map(|file| (name.clone(), stem(file))));
    }
    Ok(all)
}

/// Returns the modules of a folder; those of its domains come last.
fn modules(folder: &Path, operators: &Operators) -> anyhow::Result<Vec<Module>> {
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
        // A folder next to a module of the same name contains its submodules.
        if inner.with_extension("rs").is_file() {
            continue;
        }
        let Some((domain, _)) = operators.iter().find(|(domain, _)| domain.replace('.', "_") == name) else {
            bail!("{}: the folder must be named for a domain, with `_` for `.`", inner.display());
        };
        for file in sorted(inner)?.iter().filter(is_module) {
            found.push(module(domain, format!("{name}::{}", stem(file)), file)?);
        }
    }
    Ok(found)
}

/// Returns the `mod` lines for modules and for folders of modules, and the files in these folders.
fn declarations(folder: &str, modules: &[Module], about: &str) -> (String, Vec<Generated>) {
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

const WRITTEN: &str = "//! Written by `cargo xtask generate`; not edited by hand.\n";

/// Returns the name in lower case and without `_`, in which operators and functions are compared.
fn key(name: &str) -> String {
    name.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect()
}

fn find<'a>(operators: &'a Operators, domain: &str, name: &str) -> Option<&'a (String, String)> {
    operators.iter().find(|(d, n)| d == domain && key(n) == key(name))
}

/// Returns the names of the public functions whose arguments start like this.
fn functions<'a>(text: &'a str, arguments: &'a str) -> impl Iterator<Item = &'a str> {
    let name = move |line: &'a str| {
        let (name, rest) = line.strip_prefix("pub fn ")?.split_once('(')?;
        rest.starts_with(arguments).then_some(name)
    };
    text.lines().filter_map(name)
}

fn kernels(root: &Path, operators: &Operators) -> anyhow::Result<Vec<Generated>> {
    let modules = modules(&root.join(KERNELS), operators)?;
    let mut kernels = Vec::new();
    for module in &modules {
        for name in functions(&module.text, "call: &Call) -> Answer") {
            let Some((domain, operator)) = find(operators, &module.domain, name) else {
                bail!("{}: `{name}` is not an operator of {}", module.file.display(), module.domain);
            };
            kernels.push((
                domain,
                operator,
                format!("{}({domain:?}, {operator:?}, {}::{name}),\n", module.condition(), module.path),
            ));
        }
    }
    kernels.sort();
    let kernels: String = kernels.into_iter().map(|(_, _, line)| line).collect();
    let (lines, mut all) = declarations(KERNELS, &modules, "Kernels");
    let text = format!(
        "//! Kernels: one operator, one file.\n//!\n{WRITTEN}\nuse super::kernels::Kernel;\n\n{lines}\n\
         /// Every kernel, sorted by domain and operator.\npub static KERNELS: &[(&str, &str, Kernel)] = &[\n{kernels}];\n"
    );
    all.push(Generated { path: Path::new(KERNELS).join("mod.rs"), text });
    Ok(all)
}

/// The functions of an operator, and the features that their file names.
#[derive(Default)]
struct Recipe {
    condition: String,
    positive: Option<String>,
    /// The negative recipes, by the position of the violated constraint among those of the operator.
    negatives: BTreeMap<usize, (String, String)>,
    features: Vec<String>,
}

/// Returns the operator and the constraint after which a function is named: `gather_axis_in_range` violates
/// `axis-in-range` of Gather.
fn violated<'a>(rules: &'a [OperatorRules], domain: &str, name: &str) -> Option<(&'a OperatorRules, usize)> {
    let wanted = key(name);
    let of_domain = rules.iter().filter(|rules| rules.operator.0 == domain);
    of_domain.flat_map(|rules| (0..rules.constraints.len()).map(move |at| (rules, at))).find(|(rules, at)| {
        let rest = wanted.strip_prefix(&key(&rules.operator.1));
        rest.is_some_and(|rest| rest == rules.constraints[*at].replace('-', ""))
    })
}

fn recipes(root: &Path, operators: &Operators, rules: &[OperatorRules]) -> anyhow::Result<Vec<Generated>> {
    let modules = modules(&root.join(RECIPES), operators)?;
    let mut recipes: BTreeMap<(String, String), Recipe> = BTreeMap::new();
    for module in &modules {
        let named = module.text.match_indices(".feature(\"");
        let features =
            named.filter_map(|(at, start)| Some(module.text[at + start.len()..].split_once('"')?.0.to_owned()));
        let features: Vec<String> = features.collect();
        for name in functions(&module.text, "draw: &mut Draw)") {
            let function = format!("{}::{name}", module.path);
            if let Some(operator) = find(operators, &module.domain, name) {
                let recipe = recipes.entry(operator.clone()).or_default();
                recipe.positive = Some(function);
                recipe.condition = module.condition();
                recipe.features.clone_from(&features);
                continue;
            }
            let Some((rules, at)) = violated(rules, &module.domain, name) else {
                bail!(
                    "{}: `{name}` is not an operator of {}, nor an operator followed by one of its constraints",
                    module.file.display(),
                    module.domain
                );
            };
            let negative = (rules.constraints[at].clone(), function);
            recipes.entry(rules.operator.clone()).or_default().negatives.insert(at, negative);
        }
    }
    let mut list = String::new();
    for ((domain, name), recipe) in recipes {
        let Some(positive) = recipe.positive else {
            bail!("{domain}.{name} has negative recipes, but no recipe of valid cases");
        };
        let negatives =
            recipe.negatives.into_values().map(|(label, function)| format!("({}, {function})", constant(&label)));
        let negatives: Vec<String> = negatives.collect();
        list += &format!(
            "{}Recipe {{ domain: {domain:?}, name: {name:?}, positive: {positive}, negatives: &[{}], features: &{:?} }},\n",
            recipe.condition,
            negatives.join(", "),
            recipe.features
        );
    }
    let (lines, mut all) = declarations(RECIPES, &modules, "Recipes");
    let text = format!(
        "//! Recipes: one file an operator or family.\n//!\n{WRITTEN}\nuse plumbline_spec::rule;\n\nuse crate::recipe::Recipe;\n\n{lines}\n\
         /// Every recipe, sorted by domain and operator.\npub static RECIPES: &[Recipe] = &[\n{list}];\n"
    );
    all.push(Generated { path: Path::new(RECIPES).join("mod.rs"), text });
    Ok(all)
}

/// The rules of an operator.
struct OperatorRules {
    operator: (String, String),
    /// The names of its constraints, in the order of the file.
    constraints: Vec<String>,
    /// For each entry: whether it is a constraint, its name, and its text.
    entries: Vec<(bool, String, String)>,
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
    text: String,
}

fn rules_files(root: &Path, operators: &Operators) -> anyhow::Result<Vec<OperatorRules>> {
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
            entries.push((true, entry.name, entry.text));
        }
        entries.extend(file.behaviour.into_iter().map(|entry| (false, entry.name, entry.text)));
        all.push(OperatorRules { operator: (domain.clone(), name.clone()), constraints, entries });
    }
    Ok(all)
}

/// Returns the constant for a name: `rule::AXIS_IN_RANGE` for `axis-in-range`.
fn constant(label: &str) -> String {
    format!("rule::{}", label.to_uppercase().replace('-', "_"))
}

/// The largest length of a comment's line.
const WIDTH: usize = 118;

/// Wraps words into the lines of a doc comment, as an item of a list.
fn doc_lines(text: &str) -> String {
    let mut lines = String::new();
    let mut line = String::from("/// -");
    for word in text.split_whitespace() {
        // A line that begins like an item of a list would become one.
        let begins_item = ["-", "+", "*"].contains(&word) || word.trim_end_matches('.').parse::<u32>().is_ok();
        if line.len() + 1 + word.len() > WIDTH && !begins_item {
            lines += &std::mem::replace(&mut line, String::from("///  "));
            lines.push('\n');
        }
        line.push(' ');
        line += word;
    }
    lines + &line + "\n"
}

/// Whether a name is that of a constraint, and each text of rules with this name, with its operators.
type Named<'a> = (bool, Vec<(String, Vec<&'a str>)>);

/// Returns the file with a constant for each name of a rule, documented by the texts of its operators.
fn labels(rules: &[OperatorRules]) -> Generated {
    let mut names: BTreeMap<&str, Named> = BTreeMap::new();
    for of_operator in rules {
        for (is_constraint, name, text) in &of_operator.entries {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let (_, texts) = names.entry(name).or_insert((*is_constraint, Vec::new()));
            let operator = of_operator.operator.1.as_str();
            match texts.iter_mut().find(|(known, _)| *known == text) {
                Some((_, operators)) if operators.contains(&operator) => {}
                Some((_, operators)) => operators.push(operator),
                None => texts.push((text, vec![operator])),
            }
        }
    }
    let mut text = format!(
        "//! The names of the rules of all operators, each with what it says.\n//!\n{WRITTEN}\nuse crate::label::Label;\n"
    );
    let mut all = String::new();
    for (name, (is_constraint, texts)) in &names {
        let kind = if *is_constraint { "constraint" } else { "behaviour" };
        text += &format!("\n/// A {kind}:\n///\n");
        for (what, operators) in texts {
            text += &doc_lines(&format!("{}: {what}", operators.join(", ")));
        }
        let constant = name.to_uppercase().replace('-', "_");
        text += &format!("pub const {constant}: Label = Label::{kind}({name:?});\n");
        all += &format!("{constant},");
    }
    text += &format!("\n/// Every name, sorted.\npub(crate) static ALL: &[Label] = &[{all}];\n");
    Generated { path: PathBuf::from("crates/spec/src/rule.rs"), text }
}
