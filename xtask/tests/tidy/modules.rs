//! Modules do not use each other in a circle, their names differ, and names of functions say what the functions do.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::{files, has_extension, none, root, short, text};
use xtask::rust::Named;

/// The path of a module in its crate: empty for the root.
type ModulePath = Vec<String>;

/// Names of functions that do not say what the function does.
const EMPTY_NAMES: [&str; 6] = ["of", "open", "own", "made", "parts", "words"];

/// Endings by which two names of modules must not differ.
const ENDINGS: [&str; 5] = ["s", "d", "ed", "es", "ing"];

/// Folders whose files are named after operators. The names of operators may differ by such an ending.
const NAMED_AFTER_OPERATORS: [&str; 2] = ["crates/oracle/src/ops", "crates/generator/src/recipes"];

/// Returns the path of modules and items that a path in the code of a module names, from the root of the crate. `modules`
/// are the modules of the crate, without those of tests.
fn resolved(here: ModulePath, path: &[String], modules: &BTreeSet<ModulePath>) -> Option<ModulePath> {
    let mut from = here;
    let mut rest = path;
    match rest.first()?.as_str() {
        "crate" => from.clear(),
        "self" | "super" => {}
        name if modules.contains(&[from.as_slice(), &[name.to_owned()]].concat()) => {
            return Some([&from, rest].concat());
        }
        _ => return None,
    }
    while let Some("crate" | "self" | "super") = rest.first().map(String::as_str) {
        if rest[0] == "super" {
            from.pop();
        }
        rest = &rest[1..];
    }
    Some([&from, rest].concat())
}

/// Arrows between two modules of one folder, each with an example. An arrow leads from `a` to `b` if `a`, or a module
/// below `a`, uses `b`, or a module below `b`.
type Arrows = BTreeMap<ModulePath, BTreeMap<ModulePath, String>>;

/// Returns the arrows between sibling modules of a crate, each with an example: `stock uses order::line`. A module that
/// uses a module around it or inside of it makes no arrow.
fn arrows(sources: &BTreeMap<ModulePath, String>) -> Arrows {
    let read: BTreeMap<&ModulePath, Named> =
        sources.iter().map(|(module, code)| (module, Named::in_file(code).unwrap())).collect();
    let tests = |(module, named): (&&ModulePath, &Named)| {
        named.tests.iter().map(|name| [module.as_slice(), std::slice::from_ref(name)].concat()).collect::<Vec<_>>()
    };
    let tests: BTreeSet<ModulePath> = read.iter().flat_map(tests).collect();
    let is_test = |module: &ModulePath| (0..=module.len()).any(|length| tests.contains(&module[..length]));
    let modules: BTreeSet<ModulePath> = sources.keys().filter(|module| !is_test(module)).cloned().collect();
    let mut arrows = Arrows::new();
    for module in &modules {
        let paths = read[module].paths.iter();
        for path in paths.filter_map(|(inline, path)| resolved([module, &inline[..]].concat(), path, &modules)) {
            let length = (0..=path.len()).rev().find(|&length| modules.contains(&path[..length])).unwrap_or(0);
            let target = &path[..length];
            let shared = module.iter().zip(target).take_while(|(a, b)| a == b).count();
            if shared < module.len() && shared < target.len() {
                let example = format!("{} uses {}", module.join("::"), target.join("::"));
                let from = arrows.entry(module[..=shared].to_vec()).or_default();
                from.entry(target[..=shared].to_vec()).or_insert(example);
            }
        }
    }
    arrows
}

/// Returns the arrows that lie on a circle.
fn circles(arrows: &Arrows) -> Vec<String> {
    let reaches = |from: &ModulePath, to: &ModulePath| {
        let (mut seen, mut left) = (BTreeSet::new(), vec![from]);
        while let Some(module) = left.pop() {
            if seen.insert(module) {
                left.extend(arrows.get(module).into_iter().flat_map(BTreeMap::keys));
            }
        }
        seen.contains(to)
    };
    let all = arrows.iter().flat_map(|(from, to)| to.iter().map(move |(to, example)| (from, to, example)));
    let closed = all.filter(|(from, to, _)| reaches(to, from));
    closed.map(|(from, to, example)| format!("{} -> {} ({example})", from.join("::"), to.join("::"))).collect()
}

/// Returns the folders of the crates in `crates/` and of xtask.
fn crates() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = entries.chain([root().join("xtask")]).collect();
    found.sort();
    assert!(found.len() > 10, "the search found too few crates");
    found
}

/// Returns the modules of a crate that have files, with their files.
fn modules(krate: &Path) -> BTreeMap<ModulePath, PathBuf> {
    let source = krate.join("src");
    let rust = files(&source).into_iter().filter(|path| has_extension(path, "rs"));
    rust.map(|path| {
        let below = path.strip_prefix(&source).unwrap().with_extension("");
        let mut module: ModulePath = below.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if module.last().is_some_and(|name| matches!(name.as_str(), "mod" | "lib" | "main")) {
            module.pop();
        }
        (module, path)
    })
    .collect()
}

#[test]
fn modules_do_not_use_each_other_in_a_circle() {
    let mut problems = Vec::new();
    for krate in crates() {
        let sources = modules(&krate).into_iter().map(|(module, path)| (module, text(&path))).collect();
        problems.extend(circles(&arrows(&sources)).into_iter().map(|arrow| format!("{}: {arrow}", short(&krate))));
    }
    none(problems, "What two modules need is in a third module that uses neither, so that no two use each other.");
}

/// Crates whose root only hands names on: no module of theirs takes a name from it.
const ROOT_HANDS_ON: [&str; 2] = ["crates/conformance", "crates/judge"];

/// Returns the modules that take a name from the root of their crate although another module has it.
fn back_up(sources: &BTreeMap<ModulePath, String>) -> Vec<String> {
    let modules: BTreeSet<ModulePath> = sources.keys().cloned().collect();
    let mut found = Vec::new();
    for (module, code) in sources.iter().filter(|(module, _)| !module.is_empty()) {
        for (inline, path) in Named::in_file(code).unwrap().paths {
            let is_rooted = path.first().is_some_and(|name| matches!(name.as_str(), "crate" | "self" | "super"));
            let target = resolved([module, &inline[..]].concat(), &path, &modules).filter(|_| is_rooted);
            let of_root =
                |target: &ModulePath| target.first().is_some_and(|name| !modules.contains(&vec![name.clone()]));
            let target = target.filter(of_root);
            found.extend(target.map(|target| format!("{} takes {}", module.join("::"), target.join("::"))));
        }
    }
    found
}

#[test]
fn the_root_of_a_crate_hands_names_on() {
    let mut problems = Vec::new();
    for krate in crates().iter().filter(|krate| ROOT_HANDS_ON.contains(&short(krate).as_str())) {
        let sources = modules(krate).into_iter().map(|(module, path)| (module, text(&path))).collect();
        problems.extend(back_up(&sources).into_iter().map(|arrow| format!("{}: {arrow}", short(krate))));
    }
    none(problems, "A module takes a name from the module that has it, not from the root, which uses that module.");
    let sources = crate_of(&[
        ("", "mod order; mod price; pub use price::Price;"),
        ("order", "use crate::price::{self, Price};\nuse crate::Price as Other;"),
        ("price", "pub struct Price;"),
    ]);
    assert_eq!(back_up(&sources), ["order takes Price"]);
}

fn crate_of(sources: &[(&str, &str)]) -> BTreeMap<ModulePath, String> {
    let path = |module: &str| module.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect();
    sources.iter().map(|(module, code)| (path(module), (*code).to_owned())).collect()
}

#[test]
fn a_circle_is_found() {
    let sources = crate_of(&[
        ("", "mod order; mod price; mod stock; #[cfg(test)] mod testing;"),
        ("order", "mod line;\nuse crate::{price::Price, Error};\n"),
        ("order::line", "//! use crate::stock;\nfn total() -> u64 { let url = \"use crate::stock;\"; 'a'; 0 }"),
        ("price", "fn list() { let all = super::stock::all(); }"),
        ("stock", "use std::fmt;\nuse super::{order::line as row, Error};\n"),
        ("testing", "use crate::order; use crate::price; use crate::stock;"),
    ]);
    let expected = [
        "order -> price (order uses price)",
        "price -> stock (price uses stock)",
        "stock -> order (stock uses order::line)",
    ];
    assert_eq!(circles(&arrows(&sources)), expected);
}

#[test]
fn what_is_no_circle_is_not_found() {
    let sources = crate_of(&[
        ("", "mod order; mod price; pub use order::Order; pub struct Error;"),
        // A child uses what its parent has, and the parent uses the child.
        ("order", "mod line;\nuse line::Line;\nuse crate::price::Price;\nfn new() {}"),
        ("order::line", "use super::Order;\nuse super::super::price;"),
        // Names of other crates, code of tests, and a module within the file.
        (
            "price",
            "use order::Other;\n#[cfg(test)]\nmod tests { use crate::order::Order; }\nmod inner { use super::Price; }",
        ),
    ]);
    assert_eq!(circles(&arrows(&sources)), [""; 0]);
}

/// Returns the functions with a name that does not say what they do.
fn empty_names(code: &str) -> Vec<String> {
    struct Names(Vec<String>);
    impl<'a> syn::visit::Visit<'a> for Names {
        fn visit_signature(&mut self, signature: &'a syn::Signature) {
            self.0.push(signature.ident.to_string());
            syn::visit::visit_signature(self, signature);
        }
    }
    let mut names = Names(Vec::new());
    syn::visit::Visit::visit_file(&mut names, &syn::parse_file(code).unwrap());
    names.0.retain(|name| EMPTY_NAMES.contains(&name.as_str()));
    names.0
}

#[test]
fn names_of_functions_say_what_they_do() {
    let folders = [root().join("crates"), root().join("xtask"), root().join("examples")];
    let rust = folders.iter().flat_map(|folder| files(folder)).filter(|path| has_extension(path, "rs"));
    let named = |path: PathBuf| {
        let names = empty_names(&text(&path));
        names.into_iter().map(move |name| format!("{}: a function has the name `{name}`", short(&path)))
    };
    none(
        rust.flat_map(named).collect(),
        "The name of a function is a verb or a noun that says what it does or returns.",
    );
}

#[test]
fn an_empty_name_is_found() {
    assert_eq!(
        empty_names("impl Row { pub fn of(x: u8) -> Row {} fn made_of() {} } // fn own()\nfn parts<T>() {}"),
        ["of", "parts"]
    );
}

/// Returns whether two names differ only by an ending or by underscores.
fn a_letter_apart(a: &str, b: &str) -> bool {
    let longer = |a: &str, b: &str| b.strip_prefix(a).is_some_and(|ending| ENDINGS.contains(&ending));
    a != b && (longer(a, b) || longer(b, a) || a.replace('_', "") == b.replace('_', ""))
}

#[test]
fn names_of_modules_differ() {
    let mut problems = Vec::new();
    for krate in crates() {
        let named_after_operator =
            |path: &Path| NAMED_AFTER_OPERATORS.iter().any(|folder| short(path).starts_with(&format!("{folder}/")));
        let modules = modules(&krate).into_iter().filter(|(_, path)| !named_after_operator(path));
        let names: BTreeMap<String, PathBuf> =
            modules.filter_map(|(module, path)| Some((module.last()?.clone(), path))).collect();
        for (a, first) in &names {
            let near = names.iter().filter(|(b, _)| a < *b && a_letter_apart(a, b));
            problems.extend(near.map(|(_, second)| format!("{} and {}", short(first), short(second))));
        }
    }
    none(problems, "The names of two modules of a crate differ by more than an ending or an underscore.");
}

#[test]
fn names_a_letter_apart_are_found() {
    for (a, b) in [("window", "windows"), ("cached", "cache"), ("box", "boxes"), ("load", "loading"), ("top_k", "topk")]
    {
        assert!(a_letter_apart(a, b) && a_letter_apart(b, a), "{a} {b}");
    }
    for (a, b) in [("window", "window"), ("window", "window_sums"), ("order", "border"), ("read", "reader")] {
        assert!(!a_letter_apart(a, b) && !a_letter_apart(b, a), "{a} {b}");
    }
}
