//! An operator with a kernel has rules, recipes and snapshots under its name.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::OnceLock;

use plumbline_oracle::Oracle;
use plumbline_spec::{Label, Operator, Spec};

use crate::{files, has_extension, none, root, short, text};

fn oracle() -> PathBuf {
    root().join("crates/oracle/src")
}

/// Returns every operator that has a kernel.
fn operators() -> Vec<&'static Operator> {
    let spec = Spec::embedded();
    let found: Vec<_> = Oracle::operators().map(|(domain, name)| spec.operator(domain, name).unwrap()).collect();
    assert!(found.len() > 3, "the search found too few kernels");
    found
}

/// Returns the form of a name in which `ReduceL2` and `reduce_l2` are equal.
fn key(name: &str) -> String {
    name.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect()
}

/// Returns the file of an operator's kernel.
fn kernel(operator: &Operator) -> PathBuf {
    let folder = oracle().join("ops");
    let folder = if operator.domain == "ai.onnx" { folder } else { folder.join(operator.domain.replace('.', "_")) };
    let is_its = |path: &PathBuf| key(&path.file_stem().unwrap().to_string_lossy()) == key(&operator.name);
    let mut found = files(&folder).into_iter().filter(|path| has_extension(path, "rs") && !path.ends_with("mod.rs"));
    found.find(is_its).unwrap_or_default()
}

/// Returns the names of rules that a text uses as constants: `rule::AXIS_IN_RANGE`.
fn constants(text: &str) -> BTreeSet<String> {
    let used = text.split("rule::").skip(1);
    let name =
        |rest: &str| rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("").to_owned();
    used.map(|rest| name(rest).to_lowercase().replace('_', "-")).collect()
}

/// Returns the names of rules in a text, as constants or in comments: `axis-in-range` between backticks.
fn labels(text: &str) -> BTreeSet<String> {
    let quoted = text.lines().filter(|line| line.contains("//")).flat_map(|line| line.split('`').skip(1).step_by(2));
    let known = quoted.filter(|word| word.parse::<Label>().is_ok()).map(str::to_owned);
    known.chain(constants(text)).collect()
}

/// Returns the text of those files in the folders `families` and `ops` that the code uses, directly or through other
/// files.
fn families(code: &str, seen: &mut BTreeSet<PathBuf>) -> String {
    // The files are listed once for all operators.
    static PATHS: OnceLock<Vec<PathBuf>> = OnceLock::new();
    let paths = PATHS.get_or_init(|| ["families", "ops"].iter().flat_map(|name| files(&oracle().join(name))).collect());
    let uses = |line: &&str| ["families::", "super::", "ops::", "pub mod "].iter().any(|from| line.contains(from));
    let is_end = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    let words: BTreeSet<&str> = code.lines().filter(uses).flat_map(|line| line.split(is_end)).collect();
    let mut found = String::new();
    for path in paths {
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let parent = path.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned();
        let module = if stem == "mod" { parent } else { stem };
        let is_named = words.contains(module.as_str());
        if is_named && module != "families" && module != "ops" && seen.insert(path.clone()) {
            let family = text(path);
            found.push_str(&families(&family, seen));
            found.push_str(&family);
        }
    }
    found
}

#[test]
fn kernel_files_have_the_name_of_their_operator() {
    let known: BTreeSet<String> = Spec::embedded().operators().map(|o| key(&o.name)).collect();
    let mut problems = Vec::new();
    for path in files(&oracle().join("ops")).into_iter().filter(|p| has_extension(p, "rs") && !p.ends_with("mod.rs")) {
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        if !known.contains(&key(&stem)) {
            problems.push(format!("{}: no operator has this name", short(&path)));
        }
        if !text(&path).contains(&format!("pub fn {stem}(call: &Call)")) {
            problems.push(format!("{}: the file has no kernel `{stem}`", short(&path)));
        }
    }
    none(problems, "Each operator has one file, which has its name.");
}

#[test]
fn operators_have_rules_and_recipes() {
    let mut problems = Vec::new();
    for operator in operators() {
        let name = operator.qualified_name();
        if !kernel(operator).is_file() {
            problems.push(format!("{name}: its kernel is not in a file that is named after the operator"));
        }
        let Some(rules) = &operator.rules else {
            problems.push(format!("{name}: the operator has no rules file"));
            continue;
        };
        for version in operator.versions.iter().filter(|v| !v.deprecated) {
            if !rules.accuracy.iter().any(|a| a.applies_to(version.since())) {
                problems.push(format!("{}: its rules give no accuracy", version.id));
            }
        }
        let Some(recipe) = plumbline_generator::recipe(&operator.domain, &operator.name) else {
            problems.push(format!("{name}: the operator has no recipe"));
            continue;
        };
        let negatives: BTreeSet<String> = recipe.negatives.iter().map(|(label, _)| label.to_string()).collect();
        let constraints: BTreeSet<String> = rules.constraints.iter().map(|c| c.label.clone()).collect();
        problems.extend(constraints.difference(&negatives).map(|l| format!("{name}: no negative recipe violates {l}")));
        problems.extend(
            negatives
                .difference(&constraints)
                .map(|l| format!("{name}: a negative recipe violates {l}, which is not a constraint")),
        );
    }
    none(problems, "An operator with a kernel has rules, a recipe, and a negative recipe for each constraint.");
}

#[test]
fn kernels_and_rules_use_the_same_labels() {
    let mut problems = Vec::new();
    for operator in operators() {
        let Some(rules) = &operator.rules else { continue };
        let constraints = rules.constraints.iter().map(|c| c.label.clone());
        let ruled: BTreeSet<String> = constraints.chain(rules.behaviours.iter().map(|b| b.label.clone())).collect();
        let code = text(&kernel(operator));
        let own = labels(&code);
        let all: BTreeSet<String> = own.union(&labels(&families(&code, &mut BTreeSet::new()))).cloned().collect();
        let name = operator.qualified_name();
        // A kernel also names rules that follow from the formula itself, so that its reader sees that nobody forgot
        // them.
        let unnamed = ruled.difference(&all);
        let foreign = constants(&code);
        problems
            .extend(foreign.difference(&ruled).map(|l| format!("{name}: its kernel names {l}, but its rules do not")));
        problems.extend(unnamed.map(|l| format!("{name}: its rules have {l}, but its kernel does not name it")));
    }
    none(problems, "A kernel names the label of each rule that it decides, and every label that it names is a rule.");
}

/// The outcomes `refused` and `any value` take effect only if code uses the constant of their rule. A comment that
/// names the rule is not enough.
#[test]
fn rules_with_broad_outcomes_are_constants_in_code() {
    let code = |text: &str| -> String {
        text.lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect()
    };
    let is_shared = |path: &PathBuf| !["families", "ops"].iter().any(|folder| path.starts_with(oracle().join(folder)));
    let shared: String = files(&oracle()).iter().filter(|path| is_shared(path)).map(|path| code(&text(path))).collect();
    let shared = constants(&shared);
    let mut problems = Vec::new();
    for operator in operators() {
        let own = text(&kernel(operator));
        let all = own.clone() + &families(&own, &mut BTreeSet::new());
        let used = constants(&code(&all));
        for behaviour in operator.rules.iter().flat_map(|rules| &rules.behaviours) {
            let broad = behaviour.lists_refusal() || behaviour.lists_any_value();
            if broad && !used.contains(&behaviour.label) && !shared.contains(&behaviour.label) {
                problems.push(format!("{}: no code uses the constant of {}", operator.name, behaviour.label));
            }
        }
    }
    none(problems, "A rule that lists `refused` or `any value` is a constant in the code of its kernel.");
}

#[test]
fn versions_that_follow_each_other_have_snapshots() {
    let folder = root().join("reports/behaviour");
    if !folder.is_dir() {
        eprintln!("SKIPPED: there is no {}", short(&folder));
        return;
    }
    let mut problems = Vec::new();
    let mut wanted = BTreeSet::new();
    for operator in operators().into_iter().filter(|o| o.versions.len() > 1) {
        let path = folder.join(&operator.domain).join(format!("{}.snap", operator.name));
        if !path.is_file() {
            problems.push(format!("{}: there is no {}", operator.qualified_name(), short(&path)));
        }
        wanted.insert(path);
    }
    let others = files(&folder).into_iter().filter(|p| has_extension(p, "snap") && !wanted.contains(p));
    problems
        .extend(others.map(|p| format!("{}: no operator with a kernel and two versions has this snapshot", short(&p))));
    none(problems, "Every operator with several versions has a snapshot in reports/behaviour.");
}

#[test]
fn labels_are_constants_or_quoted() {
    let found = labels("// NaN: `nan`; ties, `axis`.\nlet x = y.or(z, rule::SIGNED_ZERO); // `ceil-mode`\n`overflow`");
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["ceil-mode", "nan", "signed-zero"]);
}
