//! The tables of support as Markdown, for the documentation of a project.

use std::fmt::Write;

use super::{BackendSupport, Failures, State, Support, TypeSupport, VersionSupport};
use crate::markdown::escape_up_to;

/// The largest length in bytes of a name or a sentence with unusual characters.
const MAX_BYTES: usize = 500;

impl Support {
    /// Returns the tables as Markdown: how many types are in each state, and then a table for each backend, with a row
    /// for each operator version.
    pub fn markdown(&self) -> String {
        let mut out = String::new();
        self.write(&mut out).expect("writing to a string does not fail");
        out
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        let states = self.states();
        writeln!(out, "## Summary\n")?;
        writeln!(out, "Counted are the types of operator versions.\n")?;
        write!(out, "| backend | versions tested |")?;
        states.iter().try_for_each(|state| write!(out, " {} |", title(*state)))?;
        writeln!(out, "\n| --- | ---: |{}", " ---: |".repeat(states.len()))?;
        for backend in &self.backends {
            let answered =
                backend.versions.iter().filter(|version| version.types.iter().any(|one| one.tested.all() > 0));
            write!(out, "| {} | {} |", plain(&backend.backend), answered.count())?;
            let totals = backend.totals();
            for state in &states {
                write!(out, " {} |", totals.get(state).copied().unwrap_or(0))?;
            }
            writeln!(out)?;
        }
        writeln!(out)?;
        for state in &states {
            writeln!(out, "- **{}**: {}.", title(*state), state.meaning())?;
        }
        writeln!(
            out,
            "\nIn brackets: failures of judged cases of these types. A star (\\*): some valid cases of these types are unsupported."
        )?;
        for limit in &self.limits {
            writeln!(out, "\n> {}", plain(limit))?;
        }
        self.backends.iter().try_for_each(|backend| table(backend, out))
    }

    /// Returns the states that occur.
    fn states(&self) -> Vec<State> {
        let totals: Vec<_> = self.backends.iter().map(BackendSupport::totals).collect();
        State::ALL.into_iter().filter(|state| totals.iter().any(|totals| totals.contains_key(state))).collect()
    }
}

/// Writes the table of a backend. A state that no type is in has no column. Operator versions that are unsupported in all
/// types are listed below the table.
fn table(backend: &BackendSupport, out: &mut String) -> std::fmt::Result {
    let (rows, unsupported): (Vec<&VersionSupport>, Vec<&VersionSupport>) = backend
        .versions
        .iter()
        .partition(|version| version.types.iter().any(|one| one.tested.is_supported()) || !version.failures.is_empty());
    let is_shown = |state: &State| rows.iter().any(|version| !in_state(version, *state).is_empty());
    let states: Vec<State> = State::ALL.into_iter().filter(is_shown).collect();
    let failed = rows.iter().any(|version| !version.failures.is_empty());
    writeln!(out, "\n## {}\n", plain(&backend.backend))?;
    if !rows.is_empty() {
        write!(out, "| operator | version |")?;
        states.iter().try_for_each(|state| write!(out, " {} |", title(*state)))?;
        writeln!(out, "{}", if failed { " what fails |" } else { "" })?;
        writeln!(out, "| --- | ---: |{}", " --- |".repeat(states.len() + usize::from(failed)))?;
    }
    for version in &rows {
        write!(out, "| {} | {} |", plain(&version.id.qualified_name()), version.id.since)?;
        states.iter().try_for_each(|state| cell(&types(version, *state), out))?;
        if failed {
            let failures: Vec<String> = version.failures.iter().map(failure).collect();
            cell(&failures.join("; "), out)?;
        }
        writeln!(out)?;
    }
    let (tested, untested): (Vec<&VersionSupport>, Vec<&VersionSupport>) =
        unsupported.into_iter().partition(|version| version.types.iter().any(|one| one.tested.all() > 0));
    for (what, versions) in [("Unsupported", tested), ("Not tested", untested)] {
        if !versions.is_empty() {
            let names: Vec<String> = versions.iter().map(|version| plain(&version.id.to_string())).collect();
            writeln!(out, "\n{what} in all types: {}.", names.join(", "))?;
        }
    }
    Ok(())
}

fn cell(text: &str, out: &mut String) -> std::fmt::Result {
    if text.is_empty() { write!(out, " |") } else { write!(out, " {text} |") }
}

/// Returns the types of an operator version that are in a state.
fn in_state(version: &VersionSupport, state: State) -> Vec<&TypeSupport> {
    version.types.iter().filter(|one| one.tested.state() == state).collect()
}

/// Lists the types of an operator version that are in a state, with their failures: `all`, `all but bool`,
/// `float, float16 (2 of 9)`.
fn types(version: &VersionSupport, state: State) -> String {
    let there = in_state(version, state);
    let is_failing = state.is_failing();
    let star = |one: &&TypeSupport| if one.tested.is_partial() { "\\*" } else { "" };
    let others = version.types.len() - there.len();
    let names = match there.as_slice() {
        [] => return String::new(),
        [_, _, ..] if others == 0 => format!("all{}", there.iter().map(star).max().unwrap_or_default()),
        _ if others > 0 && there.len() > 2 * others => {
            let others = version.types.iter().filter(|one| one.tested.state() != state);
            let others: Vec<String> = others.map(|one| plain(&one.type_)).collect();
            format!("all{} but {}", there.iter().map(star).max().unwrap_or_default(), others.join(", "))
        }
        there => {
            let name = |one: &&TypeSupport| format!("{}{}", plain(&one.type_), star(one));
            there.iter().map(name).collect::<Vec<_>>().join(", ")
        }
    };
    let failed: u64 = there.iter().map(|one| one.tested.failed()).sum();
    let judged: u64 = there.iter().map(|one| one.tested.judged()).sum();
    if is_failing { format!("{names} ({failed} of {judged})") } else { names }
}

/// Escapes a text for a table. Names of operators, types and features stay as they are, so that the tables can be read
/// as text, too.
fn plain(text: &str) -> String {
    let bytes = text.as_bytes();
    let is_word = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphanumeric);
    let is_harmless = |(at, byte): (usize, &u8)| match byte {
        b' ' | b'(' | b')' | b'-' | b'=' | b',' | b'+' | b'.' => true,
        // Between letters, these are neither emphasis nor a part of an address.
        b'_' | b':' => {
            is_word(at.checked_sub(1)) && (is_word(Some(at + 1)) || *byte == b':' && bytes.get(at + 1) == Some(&b' '))
        }
        byte => byte.is_ascii_alphanumeric(),
    };
    let lower = text.to_ascii_lowercase();
    let is_address = ["www.", "mailto:", "xmpp:"].iter().any(|start| lower.contains(start));
    match !is_address && bytes.iter().enumerate().all(is_harmless) {
        true => text.to_owned(),
        false => escape_up_to(text, MAX_BYTES),
    }
}

/// Describes the failures of a kind: `wrong-value 5: attribute axis given (all)`.
fn failure(one: &Failures) -> String {
    let Failures { kind, invalid, count, compared, features, .. } = one;
    // The name of this kind says it.
    let of_invalid = if *invalid && *kind != "accepts-invalid" { " on invalid models" } else { "" };
    let features: Vec<String> = features
        .iter()
        .map(|feature| {
            let share = if feature.count == *compared { "all" } else { &format!("{} of {compared}", feature.count) };
            format!("{} ({share})", plain(&feature.feature))
        })
        .collect();
    let features = if features.is_empty() { String::new() } else { format!(": {}", features.join(", ")) };
    format!("{kind}{of_invalid} {count}{features}")
}

fn title(state: State) -> &'static str {
    match state {
        State::NotTested => "not tested",
        state => state.name(),
    }
}
