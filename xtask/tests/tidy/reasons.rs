//! Facts travel as data: no code reads the sentences that Plumbline writes for people.

use crate::{files, has_extension, none, root, short, text};

/// Files that read the words of a detail, message or reason, with what they read.
const ALLOWED: [(&str, &str); 2] = [
    ("crates/judge/src/judge/crash.rs", "what a process printed before it died"),
    ("crates/conformance/src/results/expectations/draft.rs", "refusals and crashes of other programs"),
];

/// The functions that look into a text.
const READERS: [&str; 9] = [
    "starts_with(",
    "ends_with(",
    "contains(",
    "strip_prefix(",
    "strip_suffix(",
    "split_once(",
    "rsplit_once(",
    "split(",
    "find(",
];

/// Returns whether a line looks into a text that is called detail, message or reason.
fn reads_words(line: &str) -> bool {
    let mut calls =
        line.match_indices('.').filter(|(at, _)| READERS.iter().any(|reader| line[at + 1..].starts_with(reader)));
    calls.any(|(at, _)| {
        let before = line[..at].trim_end_matches(['(', ')', '?']);
        let before = [".as_deref", ".as_ref", ".as_str", ".unwrap_or_default"]
            .iter()
            .fold(before, |before, call| before.trim_end_matches(call).trim_end_matches(['(', ')', '?']));
        ["detail", "message", "reason"].iter().any(|name| before.ends_with(name))
    })
}

#[test]
fn no_code_reads_our_own_sentences() {
    assert!(reads_words("if result.detail.as_ref().is_some_and(|detail| detail.starts_with(TWIN)) {"));
    assert!(reads_words("let (_, rest) = finding.detail.as_deref()?.split_once(\"violates \")?;"));
    assert!(!reads_words("let rule = result.rule.as_deref().unwrap_or(detail);"));
    let (mut problems, mut seen) = (Vec::new(), Vec::new());
    for krate in ["graph", "oracle", "judge", "generator", "conformance", "report", "plumbline"] {
        for path in
            files(&root().join("crates").join(krate).join("src")).iter().filter(|path| has_extension(path, "rs"))
        {
            let (name, text) = (short(path), text(path));
            // The tests of a module are at its end.
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            for (at, line) in code.lines().enumerate().filter(|(_, line)| reads_words(line)) {
                match ALLOWED.iter().find(|(file, _)| *file == name) {
                    Some((file, _)) => seen.push(*file),
                    None => problems.push(format!("{name}:{}: {}", at + 1, line.trim())),
                }
            }
        }
    }
    let stale = ALLOWED.iter().filter(|(file, _)| !seen.contains(file));
    problems.extend(stale.map(|(file, _)| format!("{file}: nothing in it reads words; take it off the list")));
    none(problems, "Make what is read a field or an enum: sentences are for people, and their words may change.");
}
