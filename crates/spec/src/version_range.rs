//! Ranges of operator versions, to which rules apply.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

/// A range of versions with both ends included: `"1..=6"`, `"8.."`, `"..=7"`, `"13"`. A rule without a range applies to
/// all versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VersionRange {
    /// The first version.
    pub first: u32,
    /// The last version, or `u32::MAX` if the range has no end.
    pub last: u32,
}

impl VersionRange {
    /// Returns whether the range contains a version.
    pub fn contains(self, since: u32) -> bool {
        (self.first..=self.last).contains(&since)
    }

    /// Returns whether one of these versions is in both ranges.
    pub(crate) fn overlaps(self, other: VersionRange, sinces: &[u32]) -> bool {
        sinces.iter().any(|&since| self.contains(since) && other.contains(since))
    }
}

impl Default for VersionRange {
    fn default() -> VersionRange {
        VersionRange { first: 0, last: u32::MAX }
    }
}

impl fmt::Display for VersionRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.first, self.last) {
            (0, u32::MAX) => f.write_str("all"),
            (first, u32::MAX) => write!(f, "{first}.."),
            (0, last) => write!(f, "..={last}"),
            (first, last) if first == last => write!(f, "{first}"),
            (first, last) => write!(f, "{first}..={last}"),
        }
    }
}

impl FromStr for VersionRange {
    type Err = String;

    fn from_str(text: &str) -> Result<VersionRange, String> {
        let number = |part: &str, default: u32| match part {
            "" => Some(default),
            part => part.parse::<u32>().ok().filter(|_| part.bytes().all(|byte| byte.is_ascii_digit())),
        };
        let range = match text.split_once("..") {
            None if text.is_empty() => None,
            None => number(text, 0).map(|version| (version, version)),
            Some((first, "")) if !first.is_empty() => number(first, 0).map(|first| (first, u32::MAX)),
            Some((first, last)) => match last.strip_prefix('=') {
                None | Some("") => None,
                Some(last) => number(first, 0).zip(number(last, 0)),
            },
        };
        match range {
            Some((first, last)) if first <= last => Ok(VersionRange { first, last }),
            _ => Err(format!("`{text}` is not a range of versions; write 1..=6, 8.., ..=7 or 13")),
        }
    }
}

impl<'de> Deserialize<'de> for VersionRange {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<VersionRange, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
