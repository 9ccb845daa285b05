//! GEMM.

use crate::directml::description::Attribute;
use crate::directml::sketch::Drawing;
use crate::values::Values;

/// The sizes of matrices: m by k times k by n, and the dimensions before them.
pub(super) struct Matrices {
    pub m: u32,
    pub k: u32,
    pub n: u32,
    batch: Vec<u32>,
}

impl Matrices {
    pub fn draw(d: &mut Drawing) -> Matrices {
        let counts = d.dimension_counts(&["ATensor", "BTensor", "OutputTensor"]);
        let count = d.range(counts) as usize;
        d.feature(&format!("{count} dimensions"));
        let (m, k, n) = (d.range(1..=5), d.range(1..=6), d.range(1..=7));
        Matrices { m, k, n, batch: (2..count).map(|_| d.range(1..=3)).collect() }
    }

    /// Returns the sizes of a tensor of matrices.
    pub fn sizes(&self, rows: u32, columns: u32) -> Vec<u32> {
        [self.batch.as_slice(), &[rows, columns]].concat()
    }
}

pub(super) fn draw(d: &mut Drawing) -> Option<()> {
    let matrices = Matrices::draw(d);
    let Matrices { m, k, n, .. } = matrices;
    let of = |rows: u32, columns: u32| matrices.sizes(rows, columns);
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
