//! [`Overlay`]: keys of a profile that replace what a backend declares about itself, from a file or from settings.

use toml::{Table, Value};

use crate::Profile;

/// Why the keys of a profile are not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OverlayError {
    /// The text is not TOML, or has a key or a value that a profile does not have. The message names the line.
    #[error("{0}")]
    NotAProfile(String),
    /// A setting has a value that it cannot have.
    #[error("`{setting}`: write {expected}")]
    Setting {
        /// The setting as it was written: `flush=maybe`.
        setting: String,
        /// The values that it may have.
        expected: &'static str,
    },
}

/// Keys of a [`Profile`] that replace those of a backend. Entries of `ulp` and the other maps are replaced one by one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overlay(Table);

impl Overlay {
    /// Reads the text of a file in TOML that has keys of a profile.
    ///
    /// # Errors
    /// Returns an error that names the line if the text is not TOML or a key or value is unknown.
    pub fn parse(text: &str) -> Result<Overlay, OverlayError> {
        let not_a_profile = |error: toml::de::Error| {
            let start = error.span().map_or(0, |span| span.start);
            let line = 1 + text.bytes().take(start).filter(|byte| *byte == b'\n').count();
            OverlayError::NotAProfile(format!("line {line}: {}", error.message()))
        };
        toml::from_str::<Profile>(text).map_err(not_a_profile)?;
        text.parse().map(Overlay).map_err(not_a_profile)
    }

    /// Returns the built-in keys for a provider: `cuda`, `webgpu`, `ggml`, `directml`, `directml-half` or
    /// `directml-half-products`.
    pub fn of_provider(name: &str) -> Option<Overlay> {
        let file = plumbline_spec_data::FOLDER.get_file(format!("providers/{name}.toml"))?;
        Overlay::parse(file.contents_utf8()?).ok()
    }

    /// Returns whether [`setting`](Overlay::setting) knows the key of a setting.
    pub fn has_setting(key: &str) -> bool {
        Overlay::setting(key, "").is_some()
    }

    /// Reads a setting of a backend's name: `accuracy=ieee-754`, `flush=true`, `low_precision_accumulation=true`,
    /// `low_precision_products=true`, `products=bfloat16`, `double=float`, `nondeterministic=true`, `unchecked=values`,
    /// `ulp.exp=4` or `ulp.exp.half=4`. Returns `None` if this is another setting.
    ///
    /// # Errors
    /// Returns an error if the setting cannot have this value.
    pub fn setting(key: &str, value: &str) -> Option<Result<Overlay, OverlayError>> {
        let wrong = |expected| Err(OverlayError::Setting { setting: format!("{key}={value}"), expected });
        let one = |key: &str, value: Value| Ok(Overlay(Table::from_iter([(key.to_owned(), value)])));
        Some(match key {
            "accuracy" => one("accuracy", value.into()),
            "flush" | "low_precision_accumulation" | "low_precision_products" | "nondeterministic" => {
                match value.parse::<bool>() {
                    Ok(allowed) => one(if key == "flush" { "flush_subnormals" } else { key }, allowed.into()),
                    Err(_) => wrong("true or false"),
                }
            }
            "products" => match value {
                "float" | "tf32" | "bfloat16" | "float16" => one("products", value.into()),
                _ => wrong("float, tf32, bfloat16 or float16"),
            },
            "double" => match value {
                "double" | "float" => one("double", value.into()),
                _ => wrong("double or float"),
            },
            "unchecked" => match value {
                "values" => one("unchecked", Value::Array(vec![value.into()])),
                "none" => one("unchecked", Value::Array(vec![])),
                "all" => one("unchecked", Value::Array(vec!["values".into(), "models".into()])),
                _ => wrong("values, all or none"),
            },
            _ => {
                let path = key.strip_prefix("ulp.")?;
                let (function, kind) = path.split_once('.').map_or((path, None), |(name, kind)| (name, Some(kind)));
                let kinds = ["float", "double", "half"];
                match value.parse::<f64>() {
                    Ok(ulp) if kind.is_none_or(|kind| kinds.contains(&kind)) => {
                        let kinds = kinds.into_iter().filter(|name| kind.is_none_or(|kind| kind == *name));
                        let ulp = Table::from_iter(kinds.map(|kind| (kind.to_owned(), ulp.into())));
                        one("ulp", Table::from_iter([(function.to_lowercase(), ulp.into())]).into())
                    }
                    _ => wrong("ulp.FUNCTION=NUMBER, with .float, .double or .half after the function for one type"),
                }
            }
        })
    }

    /// Adds keys, which replace those that are there already.
    pub fn extend(&mut self, other: Overlay) {
        merge(&mut self.0, other.0);
    }

    /// Returns whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns a profile with these keys in place of its own.
    pub fn over(&self, profile: &Profile) -> Profile {
        let whole = || {
            let mut table = Table::try_from(profile).ok()?;
            merge(&mut table, self.0.clone());
            table.try_into().ok()
        };
        // Every key was checked when it was read, so that the whole is a profile again.
        whole().unwrap_or_else(|| profile.clone())
    }
}

/// Puts entries into a table. Where both have a table, its entries are merged.
fn merge(table: &mut Table, other: Table) {
    for (key, value) in other {
        match (table.get_mut(&key), value) {
            (Some(Value::Table(inner)), Value::Table(value)) => merge(inner, value),
            (_, value) => drop(table.insert(key, value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use plumbline_spec::{CPU_ACCURACY, Doubles, Products, Ulp, Unchecked};

    use super::*;

    #[test]
    fn keys_of_a_file_replace_those_of_a_profile() {
        let overlay = Overlay::parse("flush_subnormals = true\n[ulp]\nexp = { float = 4 }\n").unwrap();
        let sine = ("sin".to_owned(), Ulp { half: Some(2.0), ..Ulp::default() });
        let profile =
            Profile { max_opset: 21, ulp: [sine.clone()].into(), onnx: "1.21".parse().ok(), ..Profile::of_cpu() };
        let exp = ("exp".to_owned(), Ulp { float: Some(4.0), ..Ulp::default() });
        let expected = Profile { flush_subnormals: true, ulp: [exp, sine].into(), ..profile.clone() };
        assert_eq!(overlay.over(&profile), expected);
        assert_eq!(Overlay::default().over(&Profile::default()), Profile::default());
    }

    #[test]
    fn settings_are_keys_of_a_profile() {
        let mut all = Overlay::default();
        for (key, value) in [
            ("accuracy", CPU_ACCURACY),
            ("flush", "true"),
            ("low_precision_accumulation", "true"),
            ("low_precision_products", "true"),
            ("nondeterministic", "true"),
            ("products", "bfloat16"),
            ("double", "float"),
            ("unchecked", "values"),
            ("ulp.Exp", "4"),
            ("ulp.exp.half", "2.5"),
        ] {
            all.extend(Overlay::setting(key, value).unwrap().unwrap());
        }
        let profile = all.over(&Profile::default());
        assert_eq!(profile.accuracy, CPU_ACCURACY);
        assert!(profile.flush_subnormals && profile.unchecked.contains(&Unchecked::Values));
        assert!(profile.low_precision_accumulation && profile.low_precision_products && profile.nondeterministic);
        assert_eq!((profile.products, profile.double), (Products::Bfloat16, Doubles::Float));
        assert_eq!(profile.ulp["exp"], Ulp { float: Some(4.0), double: Some(4.0), half: Some(2.5) });
        for other in ["device", "option.accuracy", "ulp", "profile"] {
            assert!(Overlay::setting(other, "1").is_none(), "{other}");
        }
    }

    #[test]
    fn wrong_keys_and_values_are_named() {
        let error = |text: &str| Overlay::parse(text).unwrap_err().to_string();
        assert!(error("flush = true\n").contains("unknown field `flush`"));
        assert!(error("\nunchecked = [\"shapes\"]\n").contains("line 2") && error("a = [").contains("line 1"));
        let error = |key: &str, value: &str| Overlay::setting(key, value).unwrap().unwrap_err().to_string();
        assert_eq!(error("flush", "maybe"), "`flush=maybe`: write true or false");
        assert!(error("ulp.exp", "few").starts_with("`ulp.exp=few`: write ulp.FUNCTION=NUMBER"));
        assert!(error("ulp.exp.int8", "1").starts_with("`ulp.exp.int8=1`"));
        assert_eq!(error("unchecked", "shapes"), "`unchecked=shapes`: write values, all or none");
        assert_eq!(error("products", "int8"), "`products=int8`: write float, tf32, bfloat16 or float16");
        assert_eq!(error("double", "tf32"), "`double=tf32`: write double or float");
    }

    #[test]
    fn built_in_profiles_are_valid() {
        let files = plumbline_spec::embedded::below(&plumbline_spec_data::FOLDER, "providers");
        assert!(!files.is_empty());
        for (path, file) in files {
            Overlay::parse(file.contents_utf8().unwrap()).unwrap();
            assert!(Overlay::of_provider(path.trim_end_matches(".toml")).is_some(), "{path}");
        }
        assert_eq!(Overlay::of_provider("tensorrt"), None);
        let cuda = Overlay::of_provider("cuda").unwrap().over(&Profile::default());
        assert!(cuda.accuracy == "cuda" && cuda.unchecked.contains(&Unchecked::Values));
    }
}
