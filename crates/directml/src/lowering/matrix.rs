//! Lowers products of matrices.

use super::context::{Lowering, stretched};
use super::error::{LoweringError, Unsupported};
use super::view::{View, broadcast};
use super::{Rule, Views};
use plumbline_graph::Refusal;
use plumbline_spec::directml::TensorDataType;

pub const OPERATORS: &[(&str, Rule)] = &[("Gemm", gemm), ("MatMul", matmul), ("MatMulInteger", matmul_integer)];

/// Both factors with the same batch dimensions, the sizes of the product, and its shape in ONNX.
pub struct Product {
    pub a: View,
    pub b: View,
    pub sizes: Vec<u32>,
    pub shape: Vec<u32>,
}

impl Product {
    /// Joins the batch dimensions into one if there are more than two. [`product`] has packed the factors in that case.
    pub fn flattened(self) -> Product {
        let (outer, matrix) = self.sizes.split_at(self.sizes.len() - 2);
        if outer.len() <= 2 {
            return self;
        }
        let count: u32 = outer.iter().product();
        let flat = |view: &View| view.reshaped(&[&[count], &view.sizes[view.rank() - 2..]].concat());
        let (a, b, sizes) = (flat(&self.a), flat(&self.b), [&[count], matrix].concat());
        Product { a, b, sizes, shape: self.shape }
    }
}

/// Returns MatMul's factors. A vector is a row on the left and a column on the right.
pub fn product(lower: &mut Lowering, a: View, b: View) -> Result<Product, LoweringError> {
    let (row, column) = (a.rank() == 1, b.rank() == 1);
    let a = if row { a.reshaped(&[1, a.count()]) } else { a };
    let b = if column { b.reshaped(&[b.count(), 1]) } else { b };
    let ([a_outer @ .., m, k], [b_outer @ .., k2, n]) = (a.sizes.as_slice(), b.sizes.as_slice()) else {
        return Err(Refusal::invalid("a factor is a scalar, expected at least 1 dimension").into());
    };
    let outer = broadcast([a_outer, b_outer]).filter(|_| k == k2);
    let outer = outer.ok_or_else(|| {
        Refusal::invalid(format!("matrices of shapes {:?} and {:?} cannot be multiplied", a.sizes, b.sizes))
    })?;
    let (m, k, n) = (*m, *k, *n);
    let own = |dimensions: &[u32]| [outer.as_slice(), dimensions].concat();
    let shape = [outer.clone(), if row { vec![] } else { vec![m] }, if column { vec![] } else { vec![n] }].concat();
    let (mut a, mut b) = (stretched(&a, &own(&[m, k]))?, stretched(&b, &own(&[k, n]))?);
    // More than two batch dimensions are joined later. A stride of 0 may prevent that, so both factors are packed.
    if outer.len() > 2 {
        (a, b) = (lower.packed(a)?, lower.packed(b)?);
    }
    Ok(Product { a, b, sizes: own(&[m, n]), shape })
}

/// The factor that is transposed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Turned {
    /// Neither factor.
    Neither,
    /// The right factor.
    Right,
}

/// Computes `factor * a * b` for each pair of matrices, `b` transposed if `turned` says so, and adds `added` if it is
/// given. Both factors have the same batch dimensions.
pub fn multiplied(
    lower: &mut Lowering,
    [a, b]: [&View; 2],
    turned: Turned,
    factor: f32,
    added: Option<&View>,
) -> Result<View, LoweringError> {
    let (row, column) = (a.rank() - 2, a.rank() - 1);
    let (name, columns) = if turned == Turned::Right { ("TRANSPOSE", row) } else { ("NONE", column) };
    let mut sizes = a.sizes.clone();
    sizes[column] = b.sizes[columns];
    let call = lower.call("GEMM").read("ATensor", a).read("BTensor", b).optional("CTensor", added);
    let call = call.write("OutputTensor", a.data_type, &sizes).keep([row, column]);
    let call = call.set("TransA", "NONE").set("TransB", name).set("Alpha", factor);
    call.set("Beta", if added.is_some() { 1.0f32 } else { 0.0 }).one()
}

fn matmul(lower: &mut Lowering) -> Views {
    let (a, b) = (lower.input(0)?, lower.input(1)?);
    let Product { a, b, shape, .. } = product(lower, a, b)?;
    Ok(vec![multiplied(lower, [&a, &b], Turned::Neither, 1.0, None)?.reshaped(&shape)])
}

fn gemm(lower: &mut Lowering) -> Views {
    let (a, b, c) = (lower.input(0)?, lower.input(1)?, lower.optional(2)?);
    let transposed = ["transA", "transB"].map(|name| lower.node.int(name) != 0);
    let ([a0, a1], [b0, b1]) = (a.sizes.as_slice(), b.sizes.as_slice()) else {
        return Err(Refusal::invalid("`A` and `B` must have 2 dimensions").into());
    };
    let sizes = [if transposed[0] { *a1 } else { *a0 }, if transposed[1] { *b0 } else { *b1 }];
    let c = c.map(|c| stretched(&c, &sizes)).transpose()?;
    let named = transposed.map(|transposed| if transposed { "TRANSPOSE" } else { "NONE" });
    let [alpha, beta] = ["alpha", "beta"].map(|name| lower.node.float(name));
    let call = lower.call("GEMM").read("ATensor", &a).read("BTensor", &b).optional("CTensor", c.as_ref()).keep([0, 1]);
    let call = call.write("OutputTensor", a.data_type, &sizes).set("TransA", named[0]).set("TransB", named[1]);
    Ok(vec![call.set("Alpha", alpha).set("Beta", beta).one()?])
}

/// Lowers MatMulInteger. A zero point is one number, one for each row of the left factor, or one for each column of the
/// right factor.
fn matmul_integer(lower: &mut Lowering) -> Views {
    let (a, b) = (lower.input(0)?, lower.input(1)?);
    let zeros = [lower.optional(2)?, lower.optional(3)?];
    let vectors = [a.rank() == 1, b.rank() == 1];
    let Product { a, b, sizes, shape } = product(lower, a, b)?.flattened();
    let mut placed = [None, None];
    for (at, zero) in zeros.into_iter().enumerate() {
        let Some(zero) = zero else { continue };
        let one = zero.count() == 1;
        if !one && (zero.rank() != 1 || vectors[at]) {
            let message = format!(
                "has shape {:?}; DirectML supports one number for the tensor, or one for each row or column",
                zero.sizes
            );
            return Err(Unsupported::value("a zero point", message).into());
        }
        let zero = if one { zero.reshaped(&[]) } else { zero };
        let place = if at == 0 { sizes.len() - 2 } else { sizes.len() - 1 };
        placed[at] = Some(zero.placed(place, sizes.len()));
    }
    let call = lower.call("MATRIX_MULTIPLY_INTEGER").read("ATensor", &a).read("BTensor", &b);
    let call = call.optional("AZeroPointTensor", placed[0].as_ref()).optional("BZeroPointTensor", placed[1].as_ref());
    let call = call.write("OutputTensor", TensorDataType::Int32, &sizes).keep([sizes.len() - 2, sizes.len() - 1]);
    Ok(vec![call.one()?.reshaped(&shape)])
}
