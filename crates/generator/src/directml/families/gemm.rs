//! GEMM.

use crate::directml::description::Attribute;
use crate::directml::drawing::Drawing;
use crate::values::Values;

pub(super) fn draw(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["ATensor", "BTensor", "OutputTensor"]);
    let count = d.range(counts) as usize;
    d.feature(&format!("{count} dimensions"));
    let (m, k, n) = (d.range(1..=5), d.range(1..=6), d.range(1..=7));
    let batch: Vec<u32> = (2..count).map(|_| d.range(1..=3)).collect();
    let of = |rows: u32, columns: u32| [batch.as_slice(), &[rows, columns]].concat();
    let transposes = ["TransA", "TransB"].map(|name| {
        let transposes = d.flag();
        let value = if transposes { "TRANSPOSE" } else { "NONE" };
        d.give(name, Attribute::Name(format!("DML_MATRIX_TRANSFORM_{value}")));
        transposes
    });
    d.attributes();
    d.input("ATensor", &if transposes[0] { of(k, m) } else { of(m, k) }, Values::Between(-2.0, 2.0));
    d.input("BTensor", &if transposes[1] { of(n, k) } else { of(k, n) }, Values::Between(-2.0, 2.0));
    if d.has("CTensor") {
        d.input("CTensor", &of(m, n), Values::Between(-2.0, 2.0));
    }
    d.output("OutputTensor", &of(m, n));
    Some(())
}
