//! Shows which of ONNX's operators and types DirectML can serve according to its documentation. None of this was run.

use plumbline_conformance::gate;
use plumbline_spec::directml::{DirectMl, FeatureLevel, ServiceRow};
use plumbline_spec::{Operator, Spec};
use serde::Serialize;

use super::columns;
use crate::Summary;
use crate::text::grouped;

/// The part of the page that covers all operators.
#[derive(Debug, Serialize)]
pub(super) struct Compatibility {
    /// Whether the page has results of real DirectML.
    ran: bool,
    /// The number of combinations of an operator version, a type variable and a type.
    all: String,
    levels: Vec<Level>,
    never: String,
    columns: Vec<&'static str>,
    rows: Vec<Row>,
    without: Vec<Name>,
    registered: Vec<Registered>,
}

/// What a feature level serves.
#[derive(Debug, Serialize)]
struct Level {
    name: String,
    /// The number of combinations that are first served at this level.
    more: String,
    /// The number of combinations that are served at this level.
    served: String,
    percent: String,
}

/// The newest version of an operator, with the first feature level that serves it for each column.
#[derive(Debug, Serialize)]
struct Row {
    id: String,
    name: String,
    cells: Vec<Option<String>>,
}

#[derive(Debug, Serialize)]
struct Name {
    id: String,
    name: String,
}

/// What ONNX Runtime's provider registers although DirectML does not document support for it.
#[derive(Debug, Serialize)]
struct Registered {
    version: String,
    variable: String,
    types: String,
    tensor: String,
}

/// How DirectML serves the versions of an operator.
#[derive(Debug, Serialize)]
pub(super) struct Served {
    /// The whole answer, if one sentence is enough. Then `versions` is empty.
    sentence: Option<String>,
    versions: Vec<VersionRows>,
}

/// Versions that DirectML serves in the same way.
#[derive(Debug, Serialize)]
struct VersionRows {
    sinces: String,
    rows: Vec<ServedRow>,
}

#[derive(Debug, Serialize)]
struct ServedRow {
    types: String,
    from: Option<String>,
    through: String,
    counts: String,
    obstacle: Option<String>,
}

impl Served {
    pub(super) fn new(operator: &Operator) -> Served {
        let mut groups: Vec<(Vec<u32>, Vec<ServiceRow>)> = Vec::new();
        // The newest version comes first.
        for version in operator.versions.iter().rev() {
            let rows = DirectMl::embedded().service_rows(version);
            match groups.iter_mut().find(|(_, known)| *known == rows) {
                Some((sinces, _)) => sinces.push(version.since),
                None => groups.push((vec![version.since], rows)),
            }
        }
        let rows = || groups.iter().flat_map(|(_, rows)| rows);
        let first = rows().next().and_then(|row| row.obstacle.clone());
        let sentence = match first {
            Some(obstacle) if rows().all(|row| row.from.is_none() && row.obstacle.as_ref() == Some(&obstacle)) => {
                Some(format!("Never: {obstacle}."))
            }
            None if rows().next().is_none() => Some(without_variables(operator)),
            _ => None,
        };
        if sentence.is_some() {
            return Served { sentence, versions: Vec::new() };
        }
        let versions = groups.into_iter().map(|(mut sinces, rows)| {
            sinces.reverse();
            let sinces = sinces.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
            VersionRows { sinces, rows: rows.into_iter().map(served_row).collect() }
        });
        Served { sentence: None, versions: versions.collect() }
    }
}

/// Returns the sentence for an operator without type variables. It names no feature level, because levels are only
/// known for the types of type variables.
fn without_variables(operator: &Operator) -> String {
    match DirectMl::embedded().lowering(&operator.domain, &operator.name) {
        None => "Never: no lowering is known.".to_owned(),
        Some(_) => "The operator has no type variable, so that no level can be given for its types.".to_owned(),
    }
}

fn served_row(row: ServiceRow) -> ServedRow {
    ServedRow {
        types: format!("{}: {}", row.variable, row.types.join(", ")),
        from: row.from.map(|level| level.to_string()),
        through: row.through.join(", "),
        counts: row.dimension_counts.join("; "),
        obstacle: row.obstacle,
    }
}

impl Compatibility {
    pub(super) fn new(summary: &Summary, spec: &Spec) -> Compatibility {
        let directml = DirectMl::embedded();
        let mut first: Vec<Option<FeatureLevel>> = Vec::new();
        let (mut rows, mut without) = (Vec::new(), Vec::new());
        let columns = columns::sorted();
        for operator in spec.operators() {
            let id = operator.qualified_name();
            let before = first.len();
            let mut cells = vec![None; columns.len()];
            for version in &operator.versions {
                let newest = std::ptr::eq(version, operator.versions.last().unwrap_or(version));
                for service in directml.services(version) {
                    first.push(service.from);
                    let types = [(service.variable.clone(), service.type_.to_string())].into();
                    let counts = super::facts::decides(version, &service.variable);
                    let column = super::facts::column(Some(version), &types).filter(|_| newest && counts);
                    let place = column.and_then(|dtype| columns.iter().position(|other| *other == dtype));
                    if let (Some(place), Some(level)) = (place, service.from) {
                        cells[place] = Some(level.to_string());
                    }
                }
            }
            match first[before..].iter().any(Option::is_some) {
                true => rows.push(Row { name: operator.name.clone(), id, cells }),
                false => without.push(Name { name: operator.name.clone(), id }),
            }
        }
        let used: Vec<bool> = (0..columns.len()).map(|at| rows.iter().any(|row| row.cells[at].is_some())).collect();
        for row in &mut rows {
            let mut at = used.iter();
            row.cells.retain(|_| *at.next().unwrap_or(&false));
        }
        let columns = columns.iter().zip(&used).filter(|(_, used)| **used).map(|(dtype, _)| dtype.name()).collect();
        let count = |is: &dyn Fn(&FeatureLevel) -> bool| first.iter().flatten().filter(|level| is(level)).count();
        let levels = FeatureLevel::ALL.into_iter().filter_map(|level| {
            let more = count(&|other| *other == level);
            let served = count(&|other| *other <= level);
            let percent = format!("{:.0}", 100.0 * served as f64 / first.len().max(1) as f64);
            let (more, served) = ((more > 0).then(|| grouped(more as u64))?, grouped(served as u64));
            Some(Level { name: level.to_string(), more, served, percent })
        });
        let registered = directml.registered_without_support().into_iter().map(|found| Registered {
            version: format!("{}-{}", found.name, found.since),
            variable: found.variable,
            types: found.types.iter().map(|dtype| dtype.name()).collect::<Vec<_>>().join(", "),
            tensor: format!("{} of {}", found.tensor, found.operator),
        });
        let is_real =
            |backend: &&crate::BackendSummary| gate::runs_directml(&backend.name) && backend.total.counts.all() > 0;
        Compatibility {
            ran: summary.backends.iter().any(|backend| is_real(&backend)),
            all: grouped(first.len() as u64),
            never: grouped(first.iter().filter(|level| level.is_none()).count() as u64),
            levels: levels.collect(),
            columns,
            rows,
            without,
            registered: registered.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn served(name: &str) -> Served {
        Served::new(Spec::embedded().operator("", name).unwrap())
    }

    #[test]
    fn the_newest_version_is_first_and_its_rows_say_what_serves_them() {
        let min = served("Min");
        let newest = &min.versions[0];
        assert!(newest.sinces.ends_with("13"), "{}", newest.sinces);
        let row = |type_: &str| newest.rows.iter().find(|row| row.types.split([' ', ',']).any(|t| t == type_)).unwrap();
        // Min with a single input is an identity.
        let through = "ELEMENT_WISE_MIN, ELEMENT_WISE_IDENTITY";
        assert_eq!((row("float16").from.as_deref(), row("float16").through.as_str()), (Some("1_0"), through));
        assert!(newest.rows.iter().any(|row| row.from.is_none() && row.obstacle.is_some()));
    }

    #[test]
    fn an_operator_that_is_never_served_gets_one_sentence() {
        let said = |name: &str| (served(name).versions.len(), served(name).sentence.unwrap_or_default());
        let never = "Never: no lowering is known.".to_owned();
        assert_eq!((said("TfIdfVectorizer"), said("StringNormalizer")), ((0, never.clone()), (0, never)));
    }
}
