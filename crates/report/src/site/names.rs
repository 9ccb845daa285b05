//! Names of files that stay the same, whatever else is on the site.
//!
//! A name is made from one text alone (a backend, a version, an operator, a cell). It is different for different texts,
//! also in a file system that does not tell upper from lower case.

use std::fmt::Write;

use sha2::{Digest, Sha256};

/// The largest number of bytes of a text that go into the name of its file.
const MAX_BYTES: usize = 100;

/// Where a text comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// The specification. No two of its names of the same kind differ only in case.
    Specification,
    /// A name that the specification does not list, although it lists names of this kind, such as operators.
    Outside,
    /// A name of a kind that no specification lists, such as backends.
    Anywhere,
}

/// Returns the name of a file for a text, without an extension.
///
/// ASCII letters, digits, `.`, `-`, `=`, `,` and `+` stay, and every other byte becomes `~` and two hexadecimal digits.
/// So does a dot at the start or the end, and the first byte of a name that Windows reserves. Of a text longer than 100
/// bytes, only the beginning stays. `~~` and a hash of the text follow if this alone would not tell texts apart: if the
/// text is empty, too long, from [`Origin::Outside`], or from [`Origin::Anywhere`] with capital letters.
pub(super) fn file_name(text: &str, origin: Origin) -> String {
    let head = &text[..text.floor_char_boundary(MAX_BYTES)];
    let mut out = String::new();
    for (at, byte) in head.bytes().enumerate() {
        let stays = byte.is_ascii_alphanumeric() || b".-=,+".contains(&byte);
        // A leading dot hides a file, and a trailing one is dropped by Windows.
        let is_outer_dot = byte == b'.' && (at == 0 || at + 1 == head.len());
        if stays && !is_outer_dot && !(at == 0 && is_reserved(text)) {
            out.push(char::from(byte));
        } else {
            write!(out, "~{byte:02x}").expect("writing to a string does not fail");
        }
    }
    let is_ambiguous = match origin {
        Origin::Specification => false,
        Origin::Outside => true,
        Origin::Anywhere => text.bytes().any(|byte| byte.is_ascii_uppercase()),
    };
    if is_ambiguous || head.len() < text.len() || text.is_empty() {
        out += &hash_of(text);
    }
    out
}

/// Returns `~~` and a hash of a text.
fn hash_of(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    std::iter::once("~~".to_owned()).chain(hash[..8].iter().map(|byte| format!("{byte:02x}"))).collect()
}

/// Returns the name of a file for a step from one version to another, whose files have these names. Of names that are too
/// long together for a file system, the beginnings stay, and a hash of both follows.
pub(super) fn step_name(from: &str, to: &str) -> String {
    let name = format!("{from}_to_{to}");
    if name.len() <= 2 * MAX_BYTES {
        return name;
    }
    let head = |name: &str| name[..name.floor_char_boundary(MAX_BYTES / 2)].to_owned();
    format!("{}_to_{}{}", head(from), head(to), hash_of(&name))
}

/// Returns whether Windows has a device of this name, whatever follows after a dot.
fn is_reserved(text: &str) -> bool {
    let stem = text.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let numbered = |name: &str| stem.strip_prefix(name).is_some_and(|rest| matches!(rest.as_bytes(), [b'0'..=b'9']));
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use plumbline_spec::Spec;

    use super::*;

    #[test]
    fn usual_names_stay_as_they_are() {
        for text in
            ["onnxruntime", "1.31.1", "directml-software", "0.2.0+onnxruntime-1.30.0", "T=float16", "T1=float,T2=int64"]
        {
            let origin = if text.starts_with('T') { Origin::Specification } else { Origin::Anywhere };
            assert_eq!(file_name(text, origin), text);
        }
        assert_eq!(file_name("Min", Origin::Specification), "Min");
        assert_eq!(file_name("6_4", Origin::Anywhere), "6~5f4");
        assert_eq!(file_name("process:python3 b.py", Origin::Anywhere), "process~3apython3~20b.py");
        assert_eq!(file_name("T=seq(tensor(float))", Origin::Specification), "T=seq~28tensor~28float~29~29");
    }

    #[test]
    fn different_texts_have_different_names_in_lower_case() {
        let long = "x".repeat(200);
        let texts = [
            "",
            ".",
            "..",
            "con",
            "CON",
            "con.html",
            "a/b",
            "a\\b",
            "a~2fb",
            "a:b",
            "Min",
            "MIN",
            "min",
            "ä",
            "a b",
            "a\u{0}b",
            "a%2fb",
            "A~~",
            "a~~",
            "nul",
            "com1",
            "x.",
            ".x",
            &long,
            &long[..199],
            &long[..100],
        ];
        let anywhere = |text: &&str| file_name(text, Origin::Anywhere).to_lowercase();
        let names: BTreeSet<String> = texts.iter().map(anywhere).collect();
        assert_eq!(names.len(), texts.len(), "{names:?}");
        let outside = |text: &&str| file_name(text, Origin::Outside).to_lowercase();
        let others: BTreeSet<String> = texts.iter().map(outside).collect();
        assert_eq!(others.len(), texts.len(), "{others:?}");
        assert!(!others.contains("min"), "an operator of the specification has the name `min`");
        for name in names {
            assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"~.-=,+".contains(&byte)), "{name}");
            assert!(
                !name.is_empty() && !name.starts_with('.') && !name.ends_with('.') && !is_reserved(&name),
                "{name}"
            );
            assert!(name.len() < 400);
        }
    }

    #[test]
    fn steps_between_long_names_have_short_names_of_their_own() {
        assert_eq!(step_name("1.30.0", "1.31.1"), "1.30.0_to_1.31.1");
        let long = |driver: usize| {
            file_name(&format!("A Device of Somebody, driver {driver}, DirectML 1.15.4 at 6_4"), Origin::Anywhere)
        };
        let names: BTreeSet<String> = (0..3).map(|driver| step_name(&long(driver), &long(driver + 1))).collect();
        assert_eq!(names.len(), 3);
        let longest = step_name(&"x".repeat(400), &"y".repeat(400));
        assert!(longest.len() < 200, "{longest}");
    }

    #[test]
    fn names_of_the_specification_differ_by_more_than_case() {
        let names: Vec<String> = Spec::embedded().operators().map(|operator| operator.qualified_name()).collect();
        let lower: BTreeSet<String> =
            names.iter().map(|name| file_name(name, Origin::Specification).to_lowercase()).collect();
        assert!(names.len() > 200 && lower.len() == names.len());
        assert!(names.iter().all(|name| file_name(name, Origin::Specification) == *name));
    }
}
