//! The data that the page's script filters by: what the matrix and the findings say, as numbers.

use std::collections::BTreeMap;

use plumbline_spec::Spec;
use plumbline_tensor::DType;
use serde_json::{Value, json};

use super::matrix::{Subject, shown_columns};
use super::{columns, facts, families, marks};
use crate::text::visible_line;
use crate::{Tally, VERDICTS};

/// For each operator, the findings that its section shows, in the form that the filter needs.
pub(super) type Index = BTreeMap<String, Vec<Value>>;

/// Returns the data as JSON that can stand in a `script` element: it has no `<`.
pub(super) fn data(spec: &Spec, subjects: &[Subject], backends: &[&str], mut index: Index) -> String {
    let columns = shown_columns(spec, subjects);
    let names = columns.iter().map(|column| column.map_or("other", DType::name));
    let kinds = columns.iter().map(|column| column.map_or("other", columns::kind_name));
    let operators: serde_json::Map<String, Value> = subjects
        .iter()
        .map(|subject| {
            let findings = index.remove(&subject.id).unwrap_or_default();
            let versions = subject.operator.map(|known| known.versions.iter().map(|version| version.since()));
            let operator = json!({
                "f": families::family(&subject.domain, subject.operator),
                "c": cells(spec, subject, backends, &columns),
                "g": findings,
                "v": versions.into_iter().flatten().collect::<Vec<_>>(),
            });
            (subject.id.clone(), operator)
        })
        .collect();
    let data = json!({
        "backends": backends.iter().map(|name| visible_line(name)).collect::<Vec<_>>(),
        "types": names.collect::<Vec<_>>(),
        "kinds": kinds.collect::<Vec<_>>(),
        "verdicts": VERDICTS.map(|verdict| verdict.name()),
        "signs": VERDICTS.map(marks::sign),
        "operators": operators,
    });
    data.to_string().replace('<', "\\u003c")
}

/// Returns a row for each version, type and backend. A row has the version, the positions of the type and of the
/// backend, the worst distance (-1 if it is not known), the count of each verdict, the count of new and changed
/// results, and the count of new, changed and improved results. Zeros at the end of a row are left out.
fn cells(spec: &Spec, subject: &Subject, backends: &[&str], columns: &[Option<DType>]) -> Vec<Vec<Value>> {
    let Some(results) = subject.results else { return Vec::new() };
    let mut tallies: BTreeMap<(u32, usize, usize), Tally> = BTreeMap::new();
    for version in &results.versions {
        let facts = spec.operator(&results.domain, &results.op).and_then(|operator| operator.version(version.since));
        for cell in &version.cells {
            let dtype = facts::column(facts, &cell.types);
            let Some(column) = columns.iter().position(|column| *column == dtype) else { continue };
            for (backend, tally) in &cell.backends {
                let Some(backend) = backends.iter().position(|name| name == backend) else { continue };
                tallies.entry((version.since, column, backend)).or_default().merge(tally);
            }
        }
    }
    let row = |((since, column, backend), tally): ((u32, usize, usize), Tally)| {
        // Three digits are enough for a colour and a short text.
        let distance = tally.max_ulp.map_or(-1.0, |ulp| ulp.min(1e300));
        let distance = format!("{distance:.2e}").parse::<f64>().unwrap_or(-1.0);
        let distance =
            if distance.fract() == 0.0 && distance.abs() < 1e9 { json!(distance as i64) } else { json!(distance) };
        let mut numbers: Vec<u64> = VERDICTS.iter().map(|&verdict| tally.counts.count(verdict)).collect();
        numbers.push(tally.standings.new + tally.standings.changed);
        numbers.push(tally.standings.unexpected());
        while numbers.last() == Some(&0) {
            numbers.pop();
        }
        let head = [json!(since), json!(column), json!(backend), distance];
        head.into_iter().chain(numbers.into_iter().map(Value::from)).collect()
    };
    tallies.into_iter().map(row).collect()
}
