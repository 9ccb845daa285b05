//! DirectML's feature levels.

use super::names::name_error;
use std::fmt;
use std::str::FromStr;

/// A feature level. The levels ascend, and each includes all levels before it. The discriminant is the number in
/// `DML_FEATURE_LEVEL`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Deserialize, serde::Serialize)]
#[serde(try_from = "String", into = "String")]
#[allow(missing_docs)]
#[repr(u16)]
pub enum FeatureLevel {
    #[default]
    V1_0 = 0x1000,
    V2_0 = 0x2000,
    V2_1 = 0x2100,
    V3_0 = 0x3000,
    V3_1 = 0x3100,
    V4_0 = 0x4000,
    V4_1 = 0x4100,
    V5_0 = 0x5000,
    V5_1 = 0x5100,
    V5_2 = 0x5200,
    V6_0 = 0x6000,
    V6_1 = 0x6100,
    V6_2 = 0x6200,
    V6_3 = 0x6300,
    V6_4 = 0x6400,
}

use FeatureLevel::*;

/// The prefix of the names in `DML_FEATURE_LEVEL`.
const PREFIX: &str = "DML_FEATURE_LEVEL_";

impl FeatureLevel {
    /// All levels, ascending.
    pub const ALL: [FeatureLevel; 15] =
        [V1_0, V2_0, V2_1, V3_0, V3_1, V4_0, V4_1, V5_0, V5_1, V5_2, V6_0, V6_1, V6_2, V6_3, V6_4];

    /// The last feature level. DirectML 1.15.4, which is the last release, has it.
    pub const LAST: FeatureLevel = V6_4;

    /// Returns the number in `DML_FEATURE_LEVEL`: `0x2100` for 2_1.
    pub fn value(self) -> u32 {
        u32::from(self as u16)
    }

    /// Returns the level with this number.
    pub fn from_value(value: u32) -> Option<FeatureLevel> {
        FeatureLevel::ALL.into_iter().find(|level| level.value() == value)
    }

    /// Returns the full name: `DML_FEATURE_LEVEL_2_1`.
    pub fn name(self) -> String {
        format!("{PREFIX}{self}")
    }
}

impl fmt::Display for FeatureLevel {
    /// Writes the short name: `2_1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}_{}", self.value() >> 12, self.value() >> 8 & 0xf))
    }
}

name_error!(LevelError, "`{text}` is not a feature level; there are {}", FeatureLevel::ALL);

impl FromStr for FeatureLevel {
    type Err = LevelError;

    /// Reads `2_1`, `2.1` and `DML_FEATURE_LEVEL_2_1`.
    fn from_str(text: &str) -> Result<FeatureLevel, LevelError> {
        let level = text.strip_prefix(PREFIX).unwrap_or(text).replace('.', "_");
        let found = FeatureLevel::ALL.into_iter().find(|known| known.to_string() == level);
        found.ok_or_else(|| LevelError { text: text.to_owned() })
    }
}

impl TryFrom<String> for FeatureLevel {
    type Error = LevelError;

    /// Accepts only the short spelling, which files use: `2_1`.
    fn try_from(text: String) -> Result<FeatureLevel, LevelError> {
        text.parse().ok().filter(|level: &FeatureLevel| level.to_string() == text).ok_or(LevelError { text })
    }
}

impl From<FeatureLevel> for String {
    fn from(level: FeatureLevel) -> String {
        level.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_in_every_spelling() {
        for level in FeatureLevel::ALL {
            assert_eq!(level.to_string().parse::<FeatureLevel>().unwrap(), level);
            assert_eq!(level.name().parse::<FeatureLevel>().unwrap(), level);
            assert_eq!(FeatureLevel::from_value(level.value()), Some(level));
        }
        assert_eq!("2.1".parse::<FeatureLevel>().unwrap(), V2_1);
        assert!(FeatureLevel::try_from("2.1".to_owned()).is_err());
        assert!(FeatureLevel::ALL.is_sorted());
        for text in ["", "2", "2_2", "7_0", "DML_2_1", "0x2100"] {
            let error = text.parse::<FeatureLevel>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{text}` is not a feature level; there are 1_0, 2_0")), "{error}");
        }
    }
}
