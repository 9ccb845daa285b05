//! GEMM.

use plumbline_spec::directml::FUSED_ACTIVATION;

use crate::directml::description::Attribute;
use crate::directml::families::axes::some_axes;
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

/// Draws what an activation over axes needs, and returns whether it is one. The sums then stay small, because the formula of
/// the activation has exponentials of them, and the layers of one without axes are as its own page describes them: only the
/// last two sizes exceed 1.
fn sums_over_axes(d: &mut Drawing, matrices: &mut Matrices) -> bool {
    let Some(Attribute::Operator(mut fused)) = d.attribute_of(FUSED_ACTIVATION).cloned() else { return false };
    match fused.operator.short_name() {
        "ACTIVATION_SOFTMAX" => matrices.batch.fill(1),
        "ACTIVATION_SOFTMAX1" => {
            let axes = some_axes(d, matrices.batch.len() + 2);
            fused.fields = vec![
                ("AxisCount".to_owned(), Attribute::Int(axes.len() as i64)),
                ("Axes".to_owned(), Attribute::Ints(axes)),
            ];
            d.give(FUSED_ACTIVATION, Attribute::Operator(fused));
        }
        _ => return false,
    }
    true
}

pub(super) fn draw(d: &mut Drawing) -> Option<()> {
    let mut matrices = Matrices::draw(d);
    let Matrices { m, k, n, .. } = matrices;
    let transposes = ["TransA", "TransB"].map(|name| {
        let transposes = d.flag();
        let value = if transposes { "TRANSPOSE" } else { "NONE" };
        d.give(name, Attribute::Name(format!("DML_MATRIX_TRANSFORM_{value}")));
        transposes
    });
    d.attributes();
    let most = if sums_over_axes(d, &mut matrices) { 0.5 } else { 2.0 };
    let of = |rows: u32, columns: u32| matrices.sizes(rows, columns);
    d.input("ATensor", &if transposes[0] { of(k, m) } else { of(m, k) }, Values::Between(-most, most));
    d.input("BTensor", &if transposes[1] { of(n, k) } else { of(k, n) }, Values::Between(-most, most));
    if d.has("CTensor") {
        d.input("CTensor", &of(m, n), Values::Between(-most, most));
    }
    d.output("OutputTensor", &of(m, n));
    Some(())
}
