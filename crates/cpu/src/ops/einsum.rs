//! Einsum, which sums products of elements according to an equation.

use std::collections::BTreeMap;

use crate::array::{Array, affordable};
use crate::element::with_number;
use crate::kernels::fold::offsets;
use crate::kernels::lanes::pieces;
use crate::kernels::product::{Matrix, Product, multiply};
use crate::kernels::total::Sum;
use crate::node::{Node, Operator, Outputs, one};
use plumbline_graph::Refusal;

use super::layout::strides_of;

/// The operators of this file by name.
pub const OPERATORS: &[(&str, Operator)] = &[("Einsum", einsum)];

/// Largest number of products. An equation with more is refused.
const MOST_PRODUCTS: usize = 1 << 34;

/// The name of a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Label {
    /// A dimension of the ellipsis, counted from the first one.
    Ellipsis(usize),
    /// A letter of the equation.
    Letter(char),
}

/// A term of the equation: the letters before its ellipsis, and the letters behind it if the term has an ellipsis.
type Letters = (Vec<char>, Option<Vec<char>>);

fn letters(text: &str) -> Option<Letters> {
    let letters = |text: &str| text.chars().all(|c| c.is_ascii_alphabetic()).then(|| text.chars().collect::<Vec<_>>());
    match text.split_once("...") {
        Some((before, behind)) => Some((letters(before)?, Some(letters(behind)?))),
        None => Some((letters(text)?, None)),
    }
}

/// Returns the labels of a term, in which an ellipsis stands for `dims` dimensions.
fn labels((before, behind): &Letters, dims: usize) -> Vec<Label> {
    let letters = |letters: &[char]| letters.iter().copied().map(Label::Letter).collect::<Vec<_>>();
    let middle = if behind.is_some() { (0..dims).map(Label::Ellipsis).collect() } else { Vec::new() };
    [letters(before), middle, letters(behind.as_deref().unwrap_or_default())].concat()
}

/// Returns the labels of each input, and the labels of the output. `ranks` are the ranks of the inputs. Returns `None`
/// if the equation is invalid or does not fit the ranks.
pub fn read(equation: &str, ranks: &[usize]) -> Option<(Vec<Vec<Label>>, Vec<Label>)> {
    let text: String = equation.chars().filter(|c| *c != ' ').collect();
    let (left, right) = text.split_once("->").map_or((text.as_str(), None), |(left, right)| (left, Some(right)));
    let terms = left.split(',').map(letters).collect::<Option<Vec<_>>>()?;
    let mut ellipsis = None;
    for ((before, behind), &rank) in terms.iter().zip(ranks) {
        let dims = rank.checked_sub(before.len() + behind.as_ref().map_or(0, Vec::len))?;
        if behind.is_none() && dims != 0 || behind.is_some() && *ellipsis.get_or_insert(dims) != dims {
            return None;
        }
    }
    let dims = ellipsis.unwrap_or(0);
    let inputs: Vec<Vec<Label>> = terms.iter().map(|term| labels(term, dims)).collect();
    let uses = |label: &Label| inputs.iter().flatten().filter(|known| *known == label).count();
    let output = match right.map(letters) {
        Some(None) => return None,
        Some(Some(term)) => labels(&term, dims),
        None => {
            let letter = |label: &Label| matches!(label, Label::Letter(_));
            let mut once: Vec<Label> = inputs.iter().flatten().copied().filter(|l| letter(l) && uses(l) == 1).collect();
            once.sort_unstable();
            (0..dims).map(Label::Ellipsis).chain(once).collect()
        }
    };
    let wrong = (0..output.len()).any(|at| output[..at].contains(&output[at]) || uses(&output[at]) == 0);
    (terms.len() == ranks.len() && !wrong).then_some((inputs, output))
}

/// The computation: the extents of the labels of the output and of the labels that are summed over, and the strides of
/// each input along them.
struct Plan {
    kept: Vec<usize>,
    summed: Vec<usize>,
    /// For each input, the strides along the labels of the output, and along the labels that are summed over.
    strides: Vec<(Vec<isize>, Vec<isize>)>,
}

impl Plan {
    fn parse(equation: &str, inputs: &[&Array]) -> Result<Plan, Refusal> {
        let wrong = || Refusal::invalid(format!("`equation` `{equation}` is invalid or does not fit the inputs"));
        let ranks: Vec<usize> = inputs.iter().map(|input| input.rank()).collect();
        let (named, output) = read(equation, &ranks).ok_or_else(wrong)?;
        let mut extents: BTreeMap<Label, usize> = BTreeMap::new();
        for (&label, &extent) in named.iter().zip(inputs).flat_map(|(labels, input)| labels.iter().zip(input.shape())) {
            let known = extents.entry(label).or_insert(extent);
            match (*known, extent) {
                (a, b) if a == b || b == 1 => {}
                (1, b) => *known = b,
                _ => return Err(wrong()),
            }
        }
        let over: Vec<Label> = extents.keys().copied().filter(|label| !output.contains(label)).collect();
        let strides = named.iter().zip(inputs).map(|(labels, input)| {
            let own = strides_of(input.shape());
            let along = |label: &Label| -> isize {
                let dims = labels.iter().zip(input.shape()).zip(&own).filter(|((at, _), _)| *at == label);
                dims.map(|((_, &extent), &stride)| if extent == 1 { 0 } else { stride }).sum()
            };
            (output.iter().map(along).collect(), over.iter().map(along).collect())
        });
        let strides = strides.collect();
        let sizes = |labels: &[Label]| labels.iter().map(|label| extents[label]).collect::<Vec<usize>>();
        Ok(Plan { kept: sizes(&output), summed: sizes(&over), strides })
    }

    fn places(sizes: &[usize], strides: &[isize]) -> Vec<isize> {
        let dims: Vec<(usize, isize)> = sizes.iter().copied().zip(strides.iter().copied()).collect();
        if sizes.contains(&0) { Vec::new() } else { offsets(&dims) }
    }

    /// Computes the sums, in row-major order.
    fn run<T: Product>(&self, inputs: &[Vec<T>]) -> Result<Vec<T>, Refusal> {
        let len = affordable(&self.kept)?;
        affordable(&self.summed)?;
        let mut out = vec![T::zero(); len];
        if self.summed.contains(&0) || len == 0 {
            return Ok(out);
        }
        let terms: usize = self.summed.iter().product();
        if len.saturating_mul(terms) > MOST_PRODUCTS {
            return Err(Refusal::unsupported(format!(
                "{len} sums of {terms} products are more than this backend computes"
            )));
        }
        let rows: Vec<Vec<isize>> = self.strides.iter().map(|(kept, _)| Plan::places(&self.kept, kept)).collect();
        let steps: Vec<Vec<isize>> = self.strides.iter().map(|(_, over)| Plan::places(&self.summed, over)).collect();
        if let Some(out) = self.as_matrices(inputs, &steps) {
            return Ok(out);
        }
        pieces(&mut out, 1, |at, out| {
            out[0] = (0..terms).fold(T::zero(), |sum, term| {
                let factor = |n: usize| inputs[n][(rows[n][at] + steps[n][term]) as usize];
                sum.add((1..inputs.len()).fold(factor(0), |product, n| product.mul(factor(n))))
            });
        });
        Ok(out)
    }

    /// Computes the sums as one product of two matrices. This works if there are exactly two inputs, the leading
    /// dimensions of the output come only from the first input, its remaining dimensions come only from the second
    /// input, and no matrix would be too large. Otherwise returns `None`.
    fn as_matrices<T: Product>(&self, inputs: &[Vec<T>], steps: &[Vec<isize>]) -> Option<Vec<T>> {
        let ([a, b], [left, right]) = (&self.strides[..], inputs) else { return None };
        let split = (0..=self.kept.len()).find(|&at| {
            let of_b = |d: usize| b.0[d] == 0 || self.kept[d] == 1;
            let of_a = |d: usize| a.0[d] == 0 || self.kept[d] == 1;
            (0..at).all(of_b) && (at..self.kept.len()).all(of_a)
        })?;
        let laid = |data: &[T], rows: &[isize], steps: &[isize]| -> Vec<T> {
            rows.iter().flat_map(|row| steps.iter().map(move |step| data[(row + step) as usize])).collect()
        };
        let rows = Plan::places(&self.kept[..split], &a.0[..split]);
        let columns = Plan::places(&self.kept[split..], &b.0[split..]);
        let (m, n, k) = (rows.len(), columns.len(), steps[0].len());
        affordable(&[m, k]).and(affordable(&[n, k])).ok()?;
        let (left, right) = (laid(left, &rows, &steps[0]), laid(right, &columns, &steps[1]));
        let mut out = vec![T::zero(); m * n];
        multiply(&mut out, Matrix::new(&left, m, k), Matrix::new(&right, n, k).turned());
        Some(out)
    }
}

fn einsum(node: &Node) -> Outputs {
    let inputs = node.arrays()?;
    let plan = Plan::parse(node.string("equation")?, &inputs)?;
    let dtype = inputs.first().ok_or_else(|| Refusal::invalid("Einsum has no input"))?.dtype();
    one(with_number!(dtype, T => {
        let totals: Vec<Vec<_>> = inputs.iter().map(|input| T::totals(input.slice::<T>()).into_owned()).collect();
        let sums = plan.run(&totals)?;
        super::matmul::rounded::<T>(dtype, &plan.kept, &sums)
    })?)
}
