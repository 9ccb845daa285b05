//! Checks the words in files, the lengths of files, links, commands, and dependencies.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{files, has_extension, none, root, short, text};

/// A Rust file with more lines than this says why it is one file: `// Over 400 lines: REASON`.
const MANY_LINES: usize = 400;
/// The largest number of lines of a Rust file.
const MOST_LINES: usize = 800;

/// The crates from the lowest one up: each may depend on those before it.
const LAYERS: [&str; 19] = [
    "plumbline-tensor",
    "plumbline-spec-data",
    "plumbline-generator-data",
    "plumbline-report-data",
    "plumbline-python-data",
    "plumbline-spec",
    "plumbline-graph",
    "plumbline-oracle",
    "plumbline-backend",
    "plumbline-judge",
    "plumbline-cpu",
    "plumbline-directml",
    "plumbline-runtimes",
    "plumbline-executor",
    "plumbline-generator",
    "plumbline-conformance",
    "plumbline-report",
    "plumbline",
    "xtask",
];

/// Returns the words that files must not contain, with reasons. Each word is written in two halves, so that this file
/// does not contain it.
fn forbidden() -> Vec<(String, &'static str)> {
    let words = [
        ("todo", "!(", "do it, or open an issue for it"),
        ("unimplemented", "!(", "return an error that says what is not supported"),
        ("FIX", "ME", "do it, or open an issue for it"),
        ("TO", "DO", "do it, or open an issue for it"),
        ("#[ign", "ore", "a test that lacks something says so, and `cargo xtask test` fetches what tests need"),
        ("/wo", "rk/", "a path of one machine"),
        ("/ro", "ot/", "a path of one machine"),
        ("/ho", "me/", "a path of one machine"),
        ("\"/t", "mp", "a path of one machine; use std::env::temp_dir or tempfile"),
        ("py", "pi.org", "the host of a registry: clients know it themselves"),
        ("python", "hosted.org", "the host of a registry: clients know it themselves"),
        ("crates", ".io", "the host of a registry: clients know it themselves"),
    ];
    words.map(|(a, b, reason)| (format!("{a}{b}"), reason)).into()
}

fn project_texts() -> Vec<PathBuf> {
    let texts = ["rs", "toml", "md", "py", "sh", "html", "css", "js", "json", "yml", "yaml", "snap"];
    let is_text = |path: &PathBuf| texts.iter().any(|extension| has_extension(path, extension));
    let found: Vec<PathBuf> = files(&root()).into_iter().filter(is_text).collect();
    assert!(found.len() > 100, "the search found too few files");
    found
}

/// If only an optional feature includes a file, a build with the default features does not notice that the file is
/// missing.
#[test]
fn included_files_exist() {
    let mut problems = Vec::new();
    let mut count = 0;
    for path in files(&root()).into_iter().filter(|path| has_extension(path, "rs")) {
        let code = text(&path);
        let macros = ["include_str!(\"", "include_bytes!(\""];
        let names = macros.iter().flat_map(|start| code.split(start).skip(1)).filter_map(|rest| rest.split_once("\")"));
        for (name, _) in names {
            count += 1;
            if !path.with_file_name(name).exists() {
                problems.push(format!("{}: {name}", short(&path)));
            }
        }
    }
    assert!(count > 30, "the search found too few macros");
    none(problems, "Files named by `include_str!` and `include_bytes!` exist.");
}

#[test]
fn files_do_not_contain_unwanted_words() {
    let mut problems = Vec::new();
    let forbidden = forbidden();
    // A drafted expectation has one of these words as its reason, in quotes, until somebody writes the reason.
    let values = ["\"", "\\\"", "`"].map(|quote| [quote, "TO", "DO", quote].concat());
    for path in project_texts() {
        for (number, line) in text(&path).lines().enumerate() {
            let line = values.iter().fold(line.to_owned(), |line, value| line.replace(value, ""));
            let found = forbidden.iter().filter(|(word, _)| line.contains(word.as_str()));
            problems.extend(found.map(|(word, why)| format!("{}:{}: `{word}`: {why}", short(&path), number + 1)));
        }
    }
    none(problems, "Files do not contain these words.");
}

/// Returns the problem with the length of a file, if there is one. A generated file may have any length.
fn length(text: &str) -> Option<String> {
    let lines = text.lines().count();
    let reason = text.lines().find_map(|line| line.trim().strip_prefix("// Over 400 lines: "));
    match lines {
        _ if text.lines().take(5).any(|line| line == "//! Written by `cargo xtask generate`; not edited by hand.") => {
            None
        }
        0..=MANY_LINES if reason.is_some() => {
            Some(format!("has {lines} lines, but gives a reason for having more than {MANY_LINES}"))
        }
        0..=MANY_LINES => None,
        _ if lines > MOST_LINES => Some(format!("has {lines} lines; at most {MOST_LINES} are allowed")),
        _ if reason.is_some_and(|reason| reason.split(' ').count() > 3) => None,
        _ => Some(format!("has {lines} lines, but no `// Over {MANY_LINES} lines: REASON` says why it is one file")),
    }
}

#[test]
fn rust_files_are_not_long() {
    let long = |path: &PathBuf| length(&text(path)).map(|problem| format!("{}: {problem}", short(path)));
    let problems = files(&root()).iter().filter(|p| has_extension(p, "rs")).filter_map(long).collect();
    none(problems, "A long file is split, or says why it is one file.");
}

#[test]
fn long_files_need_a_reason() {
    let reason = "// Over 400 lines: the parts of a table are read side by side\n";
    assert_eq!(length(&"\n".repeat(400)), None);
    assert!(length(&"\n".repeat(401)).is_some());
    assert_eq!(length(&(reason.to_owned() + &"\n".repeat(400))), None);
    assert!(length(&(reason.to_owned() + &"\n".repeat(800))).is_some());
    assert!(length(reason).is_some(), "a short file must not give a reason");
}

/// Returns all manifests of the project: those of packages, and that of the workspace.
fn manifests() -> BTreeMap<PathBuf, toml::Table> {
    let manifests = files(&root()).into_iter().filter(|p| p.ends_with("Cargo.toml"));
    manifests.map(|path| (path.clone(), text(&path).parse().unwrap())).collect()
}

/// Returns the names of a table's dependencies of all kinds.
fn dependencies(table: &toml::Table) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (key, value) in table {
        let Some(value) = value.as_table() else { continue };
        match key.as_str() {
            "dependencies" | "dev-dependencies" | "build-dependencies" => found.extend(value.keys().cloned()),
            "target" => found.extend(value.values().filter_map(toml::Value::as_table).flat_map(dependencies)),
            _ => {}
        }
    }
    found
}

#[test]
fn dependencies_are_accounted_for() {
    let manifests = manifests();
    let used: BTreeSet<String> = manifests.values().flat_map(dependencies).collect();
    let declared: BTreeSet<String> = manifests[&root().join("Cargo.toml")]["workspace"]["dependencies"]
        .as_table()
        .unwrap()
        .keys()
        .cloned()
        .collect();
    let page = text(&root().join("docs/architecture.md"));
    // The table of dependencies: | `name` | why |
    let rows = page.split("## Dependencies").nth(1).unwrap_or("").split("\n## ").next().unwrap_or("").lines();
    let explained: BTreeSet<String> =
        rows.filter_map(|row| Some(row.strip_prefix("| `")?.split_once('`')?.0.to_owned())).collect();
    let ours = |name: &String| matches!(name.split('-').next(), Some("plumbline" | "xtask"));
    let mut problems = Vec::new();
    let outside: BTreeSet<String> = used.iter().filter(|name| !ours(name)).cloned().collect();
    problems.extend(
        outside.difference(&explained).map(|name| format!("{name}: docs/architecture.md does not say why it is there")),
    );
    problems.extend(
        explained
            .difference(&outside)
            .map(|name| format!("{name}: is in docs/architecture.md, but no crate depends on it")),
    );
    problems.extend(
        declared
            .difference(&used)
            .map(|name| format!("{name}: is a dependency of the workspace, but no crate uses it")),
    );
    none(problems, "Each dependency has a line in docs/architecture.md.");
}

#[test]
fn crates_depend_in_one_direction_and_share_their_lints() {
    let mut problems = Vec::new();
    for (path, manifest) in manifests() {
        let Some(package) = manifest.get("package") else { continue };
        let name = package["name"].as_str().unwrap();
        if manifest.get("lints").and_then(|l| l.get("workspace")).and_then(toml::Value::as_bool) != Some(true) {
            problems.push(format!("{}: does not use the lints of the workspace", short(&path)));
        }
        let Some(layer) = LAYERS.iter().position(|n| *n == name) else { continue };
        let normal = manifest.get("dependencies").and_then(toml::Value::as_table);
        for other in normal.into_iter().flat_map(toml::Table::keys) {
            if LAYERS.iter().position(|n| n == other).is_some_and(|at| at >= layer) {
                problems.push(format!("{}: {name} must not depend on {other}", short(&path)));
            }
        }
    }
    let lints = &manifests()[&root().join("Cargo.toml")]["workspace"]["lints"];
    if lints["clippy"].get("unwrap_used").and_then(toml::Value::as_str) != Some("warn") {
        problems.push("Cargo.toml: clippy does not warn about unwrap".to_owned());
    }
    none(problems, "Dependencies point one way; lints are those of the workspace.");
}

#[test]
fn links_between_pages_exist() {
    let mut problems = Vec::new();
    for path in files(&root()).into_iter().filter(|p| has_extension(p, "md")) {
        for (number, line) in text(&path).lines().enumerate() {
            for link in line.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
                let outside = link.is_empty() || link.contains("://");
                if !outside && !path.parent().unwrap().join(link).exists() {
                    problems.push(format!("{}:{}: `{link}` does not exist", short(&path), number + 1));
                }
            }
        }
    }
    none(problems, "Links within the project lead to files that exist.");
}

#[test]
fn commands_that_pages_name_exist() {
    let mut problems = Vec::new();
    let mut named: BTreeMap<String, String> = BTreeMap::new();
    for path in files(&root()).into_iter().filter(|p| has_extension(p, "md")) {
        for (number, line) in text(&path).lines().enumerate() {
            for rest in line.split("cargo xtask ").skip(1) {
                let is_word = |word: &&str| word.starts_with(|c: char| c.is_ascii_lowercase());
                let words = rest.split(|c: char| c.is_whitespace() || c == '`').take_while(is_word).take(2);
                let words = words.map(|w| w.trim_end_matches([',', '.', ';', ':', ')'])).collect::<Vec<_>>();
                named.entry(words.join(" ")).or_insert_with(|| format!("{}:{}", short(&path), number + 1));
            }
        }
    }
    assert!(named.len() > 3, "the search found too few commands");
    for (words, place) in named.into_iter().filter(|(words, _)| !words.is_empty()) {
        // The second word may be an argument, which --help ignores.
        let output = Command::new(env!("CARGO_BIN_EXE_xtask")).args(words.split(' ')).arg("--help").output().unwrap();
        if !output.status.success() {
            problems.push(format!("{place}: there is no `cargo xtask {words}`"));
        }
    }
    none(problems, "Commands on pages exist.");
}

#[test]
fn the_readme_names_the_toolchain_and_usual_files_exist() {
    let root = root();
    let toolchain: toml::Table = text(&root.join("rust-toolchain.toml")).parse().unwrap();
    let toolchain = toolchain["toolchain"]["channel"].as_str().unwrap().to_owned();
    let readme = text(&root.join("README.md"));
    assert!(readme.contains(&toolchain), "README.md does not name Rust {toolchain}");
    for file in ["LICENSE-MIT", "LICENSE-APACHE", "NOTICE", "CHANGELOG.md", "CONTRIBUTING.md"] {
        assert!(Path::new(&root).join(file).is_file(), "there is no {file}");
    }
    assert!(text(&root.join(".ci/run")).contains("cargo xtask test"), ".ci/run does not run the tests");
    assert!(readme.contains("cargo xtask test"), "README.md does not say how to run the tests");
}

#[test]
fn dependencies_are_used() {
    let mut problems = Vec::new();
    for (path, mut manifest) in manifests().into_iter().filter(|(_, manifest)| manifest.contains_key("package")) {
        let folder = path.parent().unwrap();
        let code = |part: &str| -> String {
            let rust = files(&folder.join(part)).into_iter().filter(|p| has_extension(p, "rs"));
            rust.map(|p| text(&p)).collect()
        };
        let lib = Some(folder.join("lib.rs")).filter(|path| path.is_file());
        let source = code("src") + &lib.map(|path| text(&path)).unwrap_or_default();
        let all = source.clone() + &code("tests") + &code("benches") + &code("examples");
        let mut check = |dependencies: BTreeSet<String>, code: &str, what: &str| {
            let unused = |name: &&String| {
                let name = name.replace('-', "_");
                !code.contains(&format!("{name}::")) && !code.contains(&format!("use {name} as "))
            };
            let unused = dependencies.iter().filter(unused);
            problems.extend(unused.map(|name| format!("{}: {what} names {name}", short(&path))));
        };
        manifest.remove("dev-dependencies").into_iter().for_each(|table| {
            let table = toml::Table::from_iter([("dependencies".to_owned(), table)]);
            check(dependencies(&table), &all, "no Rust file");
        });
        check(dependencies(&manifest), &source, "no file in src/");
    }
    none(problems, "Every dependency is used.");
}

/// A packed crate gets its dependencies from a registry, except those that only its tests use.
#[test]
fn dependencies_can_be_published() {
    let manifests = manifests();
    let name = |manifest: &toml::Table| manifest.get("package")?.get("name")?.as_str().map(str::to_owned);
    let is_private = |manifest: &&toml::Table| {
        manifest.get("package").and_then(|package| package.get("publish")?.as_bool()) == Some(false)
    };
    let private: BTreeSet<String> = manifests.values().filter(is_private).filter_map(name).collect();
    assert!(!private.is_empty(), "no crate has `publish = false`");
    let mut problems = Vec::new();
    for (path, mut manifest) in manifests {
        manifest.remove("dev-dependencies");
        let used = dependencies(&manifest);
        problems.extend(used.intersection(&private).map(|name| format!("{}: {name} is not published", short(&path))));
    }
    none(problems, "Only tests depend on crates that are not published.");
}
