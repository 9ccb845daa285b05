//! Reads the accuracy tables of `specs/functions.toml`. Each table is named after the document that it is taken from,
//! and says by how many ULP each function may be off.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use serde::Deserialize;
use toml::Spanned;

use super::function_name::Function;
use plumbline_spec::{DEFAULT_ACCURACY, Ulp};
use plumbline_tensor::DType;

/// The index in a [`Row`] of the number for float; the constants below are those for double and half.
pub(super) const FLOAT: usize = 0;
pub(super) const DOUBLE: usize = 1;
pub(super) const HALF: usize = 2;

/// The declared errors of one function, in ULP, for float, double and half.
pub(super) type Row = [f64; 3];

/// The declared errors of all functions: one row for each of [`Function::ALL`], in that order.
pub(super) type Table = Vec<Row>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTable {
    source: String,
    functions: BTreeMap<String, Spanned<RawRow>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRow {
    float: Option<f64>,
    double: Option<f64>,
    half: Option<f64>,
    source: String,
}

/// Why the accuracy that a backend's profile declares is not valid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AccuracyError {
    /// The profile names a table that does not exist.
    #[error("the profile's `accuracy` is `{name}`; specs/functions.toml has {known}")]
    UnknownTable {
        /// The name in the profile.
        name: String,
        /// The names of the tables that exist.
        known: String,
    },
    /// The profile names a function that does not exist.
    #[error("the profile's `{key}` has `{name}`, which is not a function of specs/functions.toml; these are {known}")]
    UnknownFunction {
        /// The key of the profile: `ulp` or `extra_ulp`.
        key: &'static str,
        /// The name in the profile.
        name: String,
        /// The names of the functions that exist.
        known: String,
    },
    /// The profile has a number of ULP that is negative or not finite.
    #[error("the profile's `{key}` has {ulp} ULP for `{name}`; a number of ULP is finite and 0 or more")]
    NotUlp {
        /// The key of the profile: `ulp` or `extra_ulp`.
        key: &'static str,
        /// The name of the function.
        name: String,
        /// The number of ULP.
        ulp: f64,
    },
}

/// Returns every table by its name.
pub(super) fn tables() -> &'static BTreeMap<String, Table> {
    static TABLES: OnceLock<BTreeMap<String, Table>> = OnceLock::new();
    TABLES.get_or_init(|| read(embedded()).expect("the embedded specs/functions.toml is valid, as a test checks"))
}

pub(super) fn default_table() -> &'static Table {
    static TABLE: OnceLock<&'static Table> = OnceLock::new();
    TABLE.get_or_init(|| &tables()[DEFAULT_ACCURACY])
}

/// Returns the table of this name.
pub(super) fn table(name: &str) -> Result<&'static Table, AccuracyError> {
    tables().get(name).ok_or_else(|| AccuracyError::UnknownTable {
        name: name.to_owned(),
        known: tables().keys().map(String::as_str).collect::<Vec<_>>().join(", "),
    })
}

/// Returns the largest error, in ULP, that a table of `specs/functions.toml` allows a function of this type. `None` if
/// there is no such table or function.
pub fn accuracy_bound(table: &str, function: &str, dtype: DType) -> Option<f64> {
    let row = tables().get(table)?.get(Function::ALL.iter().position(|f| f.name() == function)?)?;
    Some(
        row[match dtype {
            DType::Float => FLOAT,
            DType::Double => DOUBLE,
            _ => HALF,
        }],
    )
}

/// Checks the `specs/functions.toml` that was embedded when this program was built.
///
/// # Errors
/// Returns what is wrong with the file, with the line if a single line is wrong.
pub fn check_functions() -> Result<(), String> {
    read(embedded()).map(|_| ())
}

fn embedded() -> &'static str {
    plumbline_spec::embedded::text(&plumbline_spec_data::FOLDER, "functions.toml")
}

fn read(text: &str) -> Result<BTreeMap<String, Table>, String> {
    let raw: BTreeMap<String, RawTable> =
        toml::from_str(text).map_err(|error| format!("specs/functions.toml: {error}"))?;
    let Some(first) = raw.get(DEFAULT_ACCURACY) else {
        return Err(format!("specs/functions.toml: there is no [{DEFAULT_ACCURACY}], which other tables refer to"));
    };
    let first = read_table(text, DEFAULT_ACCURACY, first, None)?;
    raw.iter().map(|(name, table)| Ok((name.clone(), read_table(text, name, table, Some(&first))?))).collect()
}

/// Reads one table. Numbers that it leaves out are taken from `rest`; without `rest`, every number has to be there.
fn read_table(text: &str, name: &str, raw: &RawTable, rest: Option<&Table>) -> Result<Table, String> {
    if raw.source.trim().is_empty() {
        return Err(format!("specs/functions.toml: [{name}] has no source"));
    }
    for (function, row) in &raw.functions {
        let wrong = |reason: String| {
            let line = text[..row.span().start].matches('\n').count() + 1;
            Err(format!("specs/functions.toml:{line}: `{function}` of [{name}] {reason}"))
        };
        let row = row.get_ref();
        let given = [row.float, row.double, row.half];
        if Function::find(function).is_none() {
            return wrong(format!("is not a known function; there are {}", Function::names()));
        }
        if row.source.trim().is_empty() {
            return wrong("has no source".to_owned());
        }
        if given.iter().all(Option::is_none) || given.iter().flatten().any(|ulp| !ulp.is_finite() || *ulp < 0.0) {
            return wrong("needs at least one number of ULP, each finite and 0 or more".to_owned());
        }
    }
    let row_of = |(at, function): (usize, &Function)| {
        let raw = raw.functions.get(function.name()).map(Spanned::get_ref);
        let given = raw.map_or([None; 3], |row| [row.float, row.double, row.half]);
        let mut row = Row::default();
        for (kind, ulp) in given.into_iter().enumerate() {
            row[kind] = match (ulp, rest) {
                (Some(ulp), _) => ulp,
                (None, Some(rest)) => rest[at][kind],
                (None, None) => {
                    return Err(format!(
                        "specs/functions.toml: [{name}] needs numbers of ULP for `{}` in float, double and half",
                        function.name()
                    ));
                }
            };
        }
        Ok(row)
    };
    Function::ALL.iter().enumerate().map(row_of).collect()
}

/// Returns the table as a backend's profile changes it. First, the numbers of `own` replace those of the table. Then
/// each number of `extra` is added to all numbers of its function.
pub(super) fn with_own_numbers(
    named: &'static Table,
    own: &BTreeMap<String, Ulp>,
    extra: &BTreeMap<String, f64>,
) -> Result<&'static Table, AccuracyError> {
    let mut table = named.clone();
    for (name, ulp) in own {
        let at = known(name, "ulp", [ulp.float, ulp.double, ulp.half].into_iter().flatten())?;
        for (kind, ulp) in [ulp.float, ulp.double, ulp.half].into_iter().enumerate() {
            table[at][kind] = ulp.unwrap_or(table[at][kind]);
        }
    }
    for (name, ulp) in extra {
        let at = known(name, "extra_ulp", std::iter::once(*ulp))?;
        table[at].iter_mut().for_each(|declared| *declared += ulp);
    }
    Ok(if table == *named { named } else { kept(table) })
}

/// Keeps a table until the process ends, so that every step of every answer can refer to it. A table that was kept
/// before is not kept twice.
fn kept(table: Table) -> &'static Table {
    static KEPT: Mutex<Vec<&'static Table>> = Mutex::new(Vec::new());
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(same) = kept.iter().find(|other| ***other == table) {
        return same;
    }
    let table: &'static Table = Box::leak(Box::new(table));
    kept.push(table);
    table
}

/// Returns the index of a function's row in a table, after a check of the numbers that the profile gives for it.
fn known(name: &str, key: &'static str, mut ulps: impl Iterator<Item = f64>) -> Result<usize, AccuracyError> {
    let function = Function::find(name).ok_or_else(|| AccuracyError::UnknownFunction {
        key,
        name: name.to_owned(),
        known: Function::names(),
    })?;
    match ulps.find(|ulp| !ulp.is_finite() || *ulp < 0.0) {
        Some(ulp) => Err(AccuracyError::NotUlp { key, name: name.to_owned(), ulp }),
        None => Ok(function as usize),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_is_read_and_has_a_source() {
        let tables = read(embedded()).unwrap();
        assert_eq!(tables.keys().collect::<Vec<_>>(), ["cuda", "ieee-754", "opencl-full", "vulkan", "webgpu"]);
        let at = |table: &str, function: Function| tables[table][function as usize];
        assert_eq!(at("opencl-full", Function::Exp), [3.0, 3.0, 2.0]);
        // For float, CUDA's guide states 2 ULP from the correctly rounded result, so the bound from the exact result is
        // 2.5. For half it states nothing, so the table has OpenCL's number.
        assert_eq!(at("cuda", Function::Exp), [2.5, 1.5, 2.0]);
        // Vulkan states nothing for double, and WebGPU no bound in ULP for sin: OpenCL's numbers are there, too.
        assert_eq!(at("vulkan", Function::Atan), [4096.0, 5.0, 5.0]);
        assert_eq!(at("webgpu", Function::Sin), at("opencl-full", Function::Sin));
        // A processor rounds divisions correctly, and computes functions of 16-bit types in float.
        assert_eq!(at("ieee-754", Function::Divide), [0.5, 0.5, 0.5]);
        assert_eq!(at("ieee-754", Function::Exp), [3.0, 3.0, 0.502]);
    }

    #[test]
    fn mistakes_in_the_file_are_described() {
        let wrong = |from: &str, to: &str| read(&embedded().replacen(from, to, 1)).unwrap_err();
        let row = "add = { float = 0.5, double = 0.5, half = 0.5, source = ";
        assert!(embedded().contains(row));
        let line = embedded().lines().position(|line| line.starts_with(row)).unwrap() + 1;
        let message = wrong(row, "sum = { float = 0.5, double = 0.5, half = 0.5, source = ");
        assert!(
            message
                .starts_with(&format!("specs/functions.toml:{line}: `sum` of [opencl-full] is not a known function"))
        );
        assert!(wrong(row, "add = { float = -1.0, source = ").contains("0 or more"));
        assert!(wrong(row, "add = { float = 0.5, double = 0.5, source = ").contains("needs numbers of ULP for `add`"));
        assert!(wrong("source = \"x + y", "about = \"x + y").contains("unknown field `about`"));
        assert!(
            wrong("source = \"x + y and x - y: correctly rounded, in all three\"", "source = \"\"")
                .contains("no source")
        );
        assert!(wrong("[opencl-full.functions]", "[opencl.functions]").contains("specs/functions.toml"));
    }
}
