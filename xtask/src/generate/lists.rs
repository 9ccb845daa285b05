//! The lists of kernels and recipes, out of the functions in their folders and the operators of `specs/onnx`.
//!
//! A kernel is a `pub fn name(call: &Call) -> Answer` below `crates/oracle/src/ops`, a recipe a `pub fn name(draw: &mut Draw)` below
//! `crates/generator/src/recipes`; `name` is the operator's in snake case, and a folder of modules is a domain other than `ai.onnx`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::Generated;

/// The folder of kernels.
const KERNELS: &str = "crates/oracle/src/ops";
/// The folder of recipes.
const RECIPES: &str = "crates/generator/src/recipes";

/// Domain and name of every operator of `specs/onnx`.
type Operators = Vec<(String, String)>;

/// A module below a folder of kernels or recipes.
struct Module {
    /// The domain that its operators are of.
    domain: String,
    /// Its path below the folder: `clip`, `ai_onnx_ml::scaler`.
    path: String,
    file: PathBuf,
    text: String,
}

/// The lists of the workspace at `root`.
///
/// # Errors
/// A folder cannot be read, or a function is named after no operator.
pub fn lists(root: &Path) -> anyhow::Result<Vec<Generated>> {
    let operators = operators(root)?;
    let mut all = kernels(root, &operators)?;
    all.extend(recipes(root, &operators)?);
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

/// The modules of a folder, those of its domains last.
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
        // A folder beside a module of its name is that module's own.
        if inner.with_extension("rs").is_file() {
            continue;
        }
        let Some((domain, _)) = operators.iter().find(|(domain, _)| domain.replace('.', "_") == name) else {
            bail!("{}: not the name of a domain with `_` for `.`", inner.display());
        };
        for file in sorted(inner)?.iter().filter(is_module) {
            found.push(module(domain, format!("{name}::{}", stem(file)), file)?);
        }
    }
    Ok(found)
}

/// The text of the `mod` lines for modules and for folders of modules, and of the files in these folders.
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

/// Without `_` and in lower case, as operators and functions are compared.
fn key(name: &str) -> String {
    name.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect()
}

fn find<'a>(operators: &'a Operators, domain: &str, name: &str) -> Option<&'a (String, String)> {
    operators.iter().find(|(d, n)| d == domain && key(n) == key(name))
}

/// The names of the public functions whose arguments start like this.
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
                bail!("{}: `{name}` is no operator of {}", module.file.display(), module.domain);
            };
            kernels.push(format!("    ({domain:?}, {operator:?}, {}::{name}),\n", module.path));
        }
    }
    kernels.sort();
    let (lines, mut all) = declarations(KERNELS, &modules, "Kernels");
    let text = format!(
        "//! Kernels: one operator, one file.\n//!\n{WRITTEN}\nuse super::kernels::Kernel;\n\n{lines}\n\
         /// Every kernel, sorted by domain and operator.\npub static KERNELS: &[(&str, &str, Kernel)] = &[\n{}];\n",
        kernels.concat()
    );
    all.push(Generated { path: Path::new(KERNELS).join("mod.rs"), text });
    Ok(all)
}

/// What the functions of an operator are called, and the features that their file names.
#[derive(Default)]
struct Recipe {
    positive: Option<String>,
    negatives: Vec<(u8, String)>,
    features: Vec<String>,
}

/// `gather_c2` is (`gather`, 2).
fn negative(name: &str) -> Option<(&str, u8)> {
    let (operator, number) = name.rsplit_once("_c")?;
    Some((operator, number.parse().ok()?))
}

fn recipes(root: &Path, operators: &Operators) -> anyhow::Result<Vec<Generated>> {
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
                recipe.features.clone_from(&features);
                continue;
            }
            let violated = negative(name).and_then(|(name, n)| Some((find(operators, &module.domain, name)?, n)));
            let Some((operator, number)) = violated else {
                bail!(
                    "{}: `{name}` is no operator of {}, nor a negative recipe of one",
                    module.file.display(),
                    module.domain
                );
            };
            recipes.entry(operator.clone()).or_default().negatives.push((number, function));
        }
    }
    let mut list = String::new();
    for ((domain, name), mut recipe) in recipes {
        let Some(positive) = recipe.positive else {
            bail!("{domain}.{name} has negative recipes and no recipe of valid cases");
        };
        recipe.negatives.sort();
        let negatives = recipe.negatives.iter().map(|(n, function)| format!("(Label::Constraint({n}), {function})"));
        let negatives: Vec<String> = negatives.collect();
        list += &format!(
            "Recipe {{ domain: {domain:?}, name: {name:?}, positive: {positive}, negatives: &[{}], features: &{:?} }},\n",
            negatives.join(", "),
            recipe.features
        );
    }
    let (lines, mut all) = declarations(RECIPES, &modules, "Recipes");
    let text = format!(
        "//! Recipes: one file an operator or family.\n//!\n{WRITTEN}\nuse plumbline_spec::Label;\n\nuse crate::recipe::Recipe;\n\n{lines}\n\
         /// Every recipe, sorted by domain and operator.\npub static RECIPES: &[Recipe] = &[\n{list}];\n"
    );
    all.push(Generated { path: Path::new(RECIPES).join("mod.rs"), text });
    Ok(all)
}
