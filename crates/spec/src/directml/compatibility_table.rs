//! A table of how DirectML serves an operator version. Types that are served in the same way share a row.

use serde::Serialize;

use super::compatibility::Service;
use super::level::FeatureLevel;
use super::load::DirectMl;
use super::operator::OPERATOR_PREFIX;
use crate::operator::OperatorVersion;

/// Types of a type variable that are served in the same way.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ServiceRow {
    /// The type variable: `T`.
    pub variable: String,
    /// The types, as ONNX writes them inside `tensor(...)`: `float16`. Types that are not tensors are written in full.
    pub types: Vec<String>,
    /// The first feature level that serves the types, or `None` if no level is known to serve them.
    pub from: Option<FeatureLevel>,
    /// The DirectML operators that the lowering uses, without the prefix of their names: `ELEMENT_WISE_MIN`.
    pub through: Vec<String>,
    /// Each dimension count with the level from which it holds: `4 from 1_0`.
    pub dimension_counts: Vec<String>,
    /// The reason why no level is known to serve the types. For types that are served but that ONNX Runtime's provider
    /// does not register, a remark that says so.
    pub obstacle: Option<String>,
}

impl ServiceRow {
    fn from_service(service: &Service) -> ServiceRow {
        let type_ = service.type_.to_string();
        let inner = type_.strip_prefix("tensor(").and_then(|inner| inner.strip_suffix(')'));
        let short = |name: &String| name.trim_start_matches(OPERATOR_PREFIX).to_owned();
        let counts = service.dimension_counts.iter();
        let obstacle = service.obstacle.as_ref().map(ToString::to_string);
        let unregistered = || (!service.registered).then(|| "not registered by the provider".to_owned());
        ServiceRow {
            variable: service.variable.clone(),
            types: vec![inner.unwrap_or(&type_).to_owned()],
            from: service.from,
            through: service.through.iter().map(short).collect(),
            dimension_counts: counts.map(|(level, counts)| format!("{counts} from {level}")).collect(),
            obstacle: obstacle.or_else(unregistered),
        }
    }
}

impl DirectMl {
    /// Returns how each type of each type variable of an operator version is served. Types that are served in the same
    /// way share a row.
    pub fn service_rows(&self, version: &OperatorVersion) -> Vec<ServiceRow> {
        let mut rows: Vec<ServiceRow> = Vec::new();
        for service in self.services(version) {
            let mut row = ServiceRow::from_service(&service);
            let same = |known: &&mut ServiceRow| ServiceRow { types: row.types.clone(), ..(**known).clone() } == row;
            match rows.iter_mut().find(same) {
                Some(known) => known.types.append(&mut row.types),
                None => rows.push(row),
            }
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Spec;

    #[test]
    fn types_that_are_served_in_the_same_way_share_a_row() {
        let version = Spec::embedded().find("Min-13").unwrap().versions()[0].clone();
        let rows = DirectMl::embedded().service_rows(&version);
        let of = |type_: &str| rows.iter().find(|row| row.types.iter().any(|t| t == type_)).unwrap();
        assert_eq!(of("float"), of("float16"));
        assert_eq!((of("float").from, of("int8").from), (Some(FeatureLevel::V1_0), Some(FeatureLevel::V2_1)));
        assert_eq!(of("float").through, ["ELEMENT_WISE_MIN", "ELEMENT_WISE_IDENTITY"]);
        assert_eq!((of("bfloat16").from, of("bfloat16").obstacle.is_some()), (None, true));
        assert_eq!(rows.iter().map(|row| row.types.len()).sum::<usize>(), version.cells().count());
    }
}
