//! Modules do not use each other in a circle, their names differ, and names of functions say what the functions do.

// Over 400 lines: one reader of Rust, and what it checks.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::{files, has_extension, none, root, short, text};

/// The path of a module in its crate: empty for the root.
type ModulePath = Vec<String>;

/// Names of functions that do not say what the function does.
const EMPTY_NAMES: [&str; 6] = ["of", "open", "own", "made", "parts", "words"];

/// Endings by which two names of modules must not differ.
const ENDINGS: [&str; 5] = ["s", "d", "ed", "es", "ing"];

/// Folders whose files are named after operators. The names of operators may differ by such an ending.
const NAMED_AFTER_OPERATORS: [&str; 2] = ["crates/oracle/src/ops", "crates/generator/src/recipes"];

/// Returns the words and signs of Rust code, without comments, string literals and character literals. A path separator
/// is one sign.
fn tokens(code: &str) -> Vec<String> {
    let chars: Vec<char> = code.chars().collect();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let starts = |at: usize, text: &str| text.chars().enumerate().all(|(i, c)| chars.get(at + i) == Some(&c));
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        let raw = if c == 'r' { chars[at + 1..].iter().take_while(|&&c| c == '#').count() } else { 0 };
        if starts(at, "//") {
            at += chars[at..].iter().position(|&c| c == '\n').unwrap_or(chars.len() - at);
        } else if starts(at, "/*") {
            let mut depth = 0;
            loop {
                match () {
                    () if starts(at, "/*") => (depth, at) = (depth + 1, at + 2),
                    () if starts(at, "*/") => (depth, at) = (depth - 1, at + 2),
                    () => at += 1,
                }
                if depth == 0 || at >= chars.len() {
                    break;
                }
            }
        } else if c == 'r' && starts(at + 1 + raw, "\"") {
            let end: String = std::iter::once('"').chain(std::iter::repeat_n('#', raw)).collect();
            at += raw + 2;
            while at < chars.len() && !starts(at, &end) {
                at += 1;
            }
            at += raw + 1;
        } else if c == '"' {
            at += 1;
            while chars.get(at).is_some_and(|&c| c != '"') {
                at += if chars[at] == '\\' { 2 } else { 1 };
            }
            at += 1;
        } else if c == '\'' && (chars.get(at + 1) == Some(&'\\') || chars.get(at + 2) == Some(&'\'')) {
            // A character literal; any other quote begins a lifetime. An escaped quote does not end the literal.
            at += if chars[at + 1] == '\\' { 3 } else { 2 };
            at += chars[at..].iter().position(|&c| c == '\'').unwrap_or(0) + 1;
        } else if is_word(c) {
            let length = chars[at..].iter().position(|&c| !is_word(c)).unwrap_or(chars.len() - at);
            found.push(chars[at..at + length].iter().collect());
            at += length;
        } else if starts(at, "::") {
            found.push("::".to_owned());
            at += 2;
        } else {
            if !c.is_whitespace() {
                found.push(c.to_string());
            }
            at += 1;
        }
    }
    found
}

/// Returns the number of tokens of the item that begins here: up to its `;`, or to the end of its braces.
fn item_length(tokens: &[String]) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            ";" if depth == 0 => return at + 1,
            _ => continue,
        }
        if token == "}" && depth == 0 && tokens.get(at + 1).is_none_or(|next| next != ";" && next != ",") {
            return at + 1;
        }
    }
    tokens.len()
}

/// Returns the tokens without the items under `#[cfg(test)]`, and the names of those items that are modules in files of
/// their own.
fn without_tests(tokens: &[String]) -> (Vec<String>, Vec<String>) {
    let attribute = ["#", "[", "cfg", "(", "test", ")", "]"];
    let (mut left, mut modules) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < tokens.len() {
        if !tokens[at..].iter().map(String::as_str).take(attribute.len()).eq(attribute) {
            left.push(tokens[at].clone());
            at += 1;
            continue;
        }
        let item = &tokens[at + attribute.len()..];
        let item = &item[..item_length(item)];
        if let [.., keyword, name, end] = item
            && (keyword.as_str(), end.as_str()) == ("mod", ";")
        {
            modules.push(name.clone());
        }
        at += attribute.len() + item.len();
    }
    (left, modules)
}

/// Adds the paths of a `use` to `found`, with `prefix` before each path. Returns the number of tokens that it read.
fn use_tree(tokens: &[String], prefix: &[String], found: &mut Vec<ModulePath>) -> usize {
    let mut path = prefix.to_vec();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token.as_str() {
            "{" => {
                at += 1;
                while tokens.get(at).is_some_and(|token| token != "}") {
                    // At least one token is read, even if the braces hold no paths.
                    at += use_tree(&tokens[at..], &path, found);
                    at += usize::from(tokens.get(at).is_some_and(|token| token != "}"));
                }
                return at + 1;
            }
            "," | ";" | "}" => break,
            "as" => at += 1,
            "::" | "*" => {}
            name => path.push(name.to_owned()),
        }
        at += 1;
    }
    found.push(path);
    at
}

/// Returns the paths that the code of a module names, each beginning at the root of the crate. `modules` are the
/// modules of the crate, without those of tests. A path may end with names of items.
fn named_paths(tokens: &[String], module: &ModulePath, modules: &BTreeSet<ModulePath>) -> Vec<ModulePath> {
    let mut found = Vec::new();
    // The inline modules that contain the current token, each with the depth of the braces around the module.
    let mut inline: Vec<(String, usize)> = Vec::new();
    let (mut at, mut depth) = (0, 0);
    while let Some(token) = tokens.get(at) {
        let next = |ahead: usize| tokens.get(at + ahead).map_or("", String::as_str);
        let mut named: Vec<ModulePath> = Vec::new();
        let mut length = 1;
        match token.as_str() {
            "mod" if next(2) == "{" => {
                inline.push((next(1).to_owned(), depth));
                length = 2;
            }
            "{" => depth += 1,
            "}" => {
                depth = depth.saturating_sub(1);
                if inline.last().is_some_and(|(_, outside)| *outside == depth) {
                    inline.pop();
                }
            }
            "use" => length += use_tree(&tokens[at + 1..], &[], &mut named),
            "crate" | "super" | "self" if next(1) == "::" => {
                let path = tokens[at..].iter().step_by(2).zip(tokens[at + 1..].iter().step_by(2));
                let count = path.take_while(|(_, sign)| *sign == "::").count();
                named.push(tokens[at..].iter().step_by(2).take(count + 1).cloned().collect());
                length += 2 * count;
            }
            _ => {}
        }
        for path in named {
            let here: ModulePath = module.iter().chain(inline.iter().map(|(name, _)| name)).cloned().collect();
            let mut from = here.clone();
            let mut rest = path.as_slice();
            match rest.first().map(String::as_str) {
                Some("crate") => {
                    from.clear();
                    rest = &rest[1..];
                }
                Some("self" | "super") => {
                    while let Some("self" | "super") = rest.first().map(String::as_str) {
                        if rest[0] == "super" {
                            from.pop();
                        }
                        rest = &rest[1..];
                    }
                }
                Some(name) if modules.contains(&[here.as_slice(), &[name.to_owned()]].concat()) => {}
                _ => continue,
            }
            from.extend_from_slice(rest);
            found.push(from);
        }
        at += length;
    }
    found
}

/// Arrows between two modules of one folder, each with an example. An arrow leads from `a` to `b` if `a`, or a module
/// below `a`, uses `b`, or a module below `b`.
type Arrows = BTreeMap<ModulePath, BTreeMap<ModulePath, String>>;

/// Returns the arrows between sibling modules of a crate, each with an example: `stock uses order::line`. A module that
/// uses a module around it or inside of it makes no arrow.
fn arrows(sources: &BTreeMap<ModulePath, String>) -> Arrows {
    let read: BTreeMap<&ModulePath, _> =
        sources.iter().map(|(module, code)| (module, without_tests(&tokens(code)))).collect();
    let tests: BTreeSet<ModulePath> = read
        .iter()
        .flat_map(|(module, (_, tests))| {
            tests.iter().map(|name| [module.as_slice(), std::slice::from_ref(name)].concat())
        })
        .collect();
    let is_test = |module: &ModulePath| (0..=module.len()).any(|length| tests.contains(&module[..length]));
    let modules: BTreeSet<ModulePath> = sources.keys().filter(|module| !is_test(module)).cloned().collect();
    let mut arrows = Arrows::new();
    for module in &modules {
        for path in named_paths(&read[module].0, module, &modules) {
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
    let below = sources.iter().filter(|(module, _)| !module.is_empty());
    let names = |(module, code): (&ModulePath, &String)| {
        let paths = named_paths(&without_tests(&tokens(code)).0, module, &modules);
        let of_root =
            paths.into_iter().filter(|path| path.first().is_some_and(|name| !modules.contains(&vec![name.clone()])));
        of_root.map(|path| format!("{} takes {}", module.join("::"), path.join("::"))).collect::<Vec<_>>()
    };
    below.flat_map(names).collect()
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
    let tokens = tokens(code);
    let names = tokens.windows(2).filter(|pair| pair[0] == "fn").map(|pair| pair[1].clone());
    names.filter(|name| EMPTY_NAMES.contains(&name.as_str())).collect()
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
