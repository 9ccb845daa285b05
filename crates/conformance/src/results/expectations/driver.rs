//! Versions of a driver, such as `31.0.15.3623`.

use std::str::FromStr;

use serde::Deserialize;

/// The numbers of a version, the most significant one first. A number that is left out is 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Version(Vec<u64>);

impl FromStr for Version {
    type Err = ();

    fn from_str(text: &str) -> Result<Version, ()> {
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let number = |part: &str| part.parse().ok().filter(|_| is_number(part));
        let mut numbers = text.split('.').map(number).collect::<Option<Vec<u64>>>().ok_or(())?;
        while numbers.len() > 1 && numbers.last() == Some(&0) {
            numbers.pop();
        }
        Ok(Version(numbers))
    }
}

/// A range of versions with both ends included: `31.0.15..=31.0.16.4`, `31.0..`, `..=30.9`, `31.0.15.3623`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DriverRange {
    first: Option<Version>,
    last: Option<Version>,
}

impl DriverRange {
    /// Returns whether the range contains a version. A text that is not a version is in no range.
    pub fn contains(&self, version: &str) -> bool {
        version.parse::<Version>().is_ok_and(|version| {
            self.first.as_ref().is_none_or(|first| *first <= version)
                && self.last.as_ref().is_none_or(|last| version <= *last)
        })
    }
}

impl FromStr for DriverRange {
    type Err = String;

    fn from_str(text: &str) -> Result<DriverRange, String> {
        let wrong =
            || format!("`{text}` is not a range of versions; write 31.0.1..=31.0.9, 31.0.1.., ..=31.0.9 or 31.0.1");
        let version = |text: &str| text.parse::<Version>().map_err(|()| wrong());
        let (first, last) = match text.split_once("..") {
            None => (Some(version(text)?), Some(version(text)?)),
            Some((first, "")) => (Some(version(first)?), None),
            Some((first, last)) => {
                let first = if first.is_empty() { None } else { Some(version(first)?) };
                (first, Some(version(last.strip_prefix('=').ok_or_else(wrong)?)?))
            }
        };
        match (&first, &last) {
            (Some(first), Some(last)) if first > last => Err(wrong()),
            _ => Ok(DriverRange { first, last }),
        }
    }
}

impl<'de> Deserialize<'de> for DriverRange {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<DriverRange, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_compare_numbers() {
        let contains = |range: &str, version: &str| range.parse::<DriverRange>().unwrap().contains(version);
        assert!(contains("31.0.9..=31.0.15", "31.0.10") && contains("31.0.9..=31.0.15", "31.0.15.0"));
        assert!(!contains("31.0.9..=31.0.15", "31.0.15.1") && !contains("31.0.9..=31.0.15", "31.0.8.9999"));
        assert!(contains("31.0..", "32") && !contains("31.0..", "30.9") && contains("..=30.9", "30.9"));
        assert!(contains("31.0.15.3623", "31.0.15.3623") && !contains("31.0.15.3623", "31.0.15.3624"));
        assert!(!contains("31.0..", "unknown"));
        for text in ["", "..", "a..", "31..32", "32..=31", "31.0..=", "31..0"] {
            assert!(text.parse::<DriverRange>().is_err(), "{text}");
        }
    }
}
