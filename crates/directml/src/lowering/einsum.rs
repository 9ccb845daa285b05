//! Lowers Einsum, one operand after the other from the left. If two operands are floats and share an index that is
//! summed over, one GEMM computes their product. Otherwise ELEMENT_WISE_MULTIPLY multiplies them over all their
//! indices, and REDUCE sums if an index is summed over. An index that only one of the two has is summed over before
//! the product, unless the output or a later operand has it. Strides express diagonals and the order of the output.

use super::context::{Lowering, is_float, sizes_of};
use super::error::LoweringError;
use super::matrix::{Turned, multiplied};
use super::reduction::{reduced, without};
use super::view::View;
use super::{Rule, Views};
use plumbline_cpu::ops::einsum::{Label, read};
use plumbline_graph::Refusal;
use plumbline_spec::directml::TensorDataType;

pub const OPERATORS: &[(&str, Rule)] = &[("Einsum", einsum)];

/// A tensor with a distinct label for each dimension.
struct Term {
    view: View,
    labels: Vec<Label>,
}

impl Term {
    /// Labels the dimensions of a view. A repeated label takes the diagonal, and an extent of 1 matches any other.
    /// Returns `None` if the extents of a label differ otherwise.
    fn new(view: &View, named: &[Label]) -> Option<Term> {
        let (mut labels, mut sizes, mut strides) = (Vec::new(), Vec::<u32>::new(), Vec::<u32>::new());
        for (&label, (&size, &stride)) in named.iter().zip(view.sizes.iter().zip(&view.strides)) {
            let stride = if size == 1 { 0 } else { stride };
            match labels.iter().position(|known| *known == label) {
                Some(d) if size == 1 || sizes[d] == 1 || sizes[d] == size => {
                    sizes[d] = sizes[d].max(size);
                    strides[d] += stride;
                }
                Some(_) => return None,
                None => {
                    labels.push(label);
                    sizes.push(size);
                    strides.push(stride);
                }
            }
        }
        Some(Term { view: View { sizes, strides, ..view.clone() }, labels })
    }

    fn size(&self, label: Label) -> u32 {
        self.labels.iter().position(|own| *own == label).map_or(1, |d| self.view.sizes[d])
    }

    /// Views the term with these labels and sizes. Labels that it does not have are broadcast.
    fn over(&self, labels: &[Label], sizes: &[u32]) -> View {
        let stride = |label: &Label| match self.labels.iter().position(|own| own == label) {
            Some(d) if self.view.sizes[d] != 1 => self.view.strides[d],
            _ => 0,
        };
        let strides = labels.iter().map(stride).collect();
        View { sizes: sizes.to_vec(), strides, ..self.view.clone() }
    }

    /// Sums over all dimensions except those that are kept.
    fn summed(self, lower: &mut Lowering, kept: impl Fn(Label) -> bool) -> Result<Term, LoweringError> {
        let axes: Vec<usize> = (0..self.labels.len()).filter(|&d| !kept(self.labels[d])).collect();
        if axes.is_empty() {
            return Ok(self);
        }
        let [_, own] = without(&self.view, &axes);
        let sum = reduced(lower, &self.view, "SUM", &axes)?;
        Ok(Term { view: sum.reshaped(&own), labels: self.labels.into_iter().filter(|&label| kept(label)).collect() })
    }
}

/// Returns the sum of products of two operands, with the labels that are kept.
fn product(lower: &mut Lowering, a: Term, b: Term, kept: impl Fn(Label) -> bool) -> Result<Term, LoweringError> {
    let a = a.summed(lower, |label| kept(label) || b.labels.contains(&label))?;
    let b = b.summed(lower, |label| kept(label) || a.labels.contains(&label))?;
    let mut all = [a.labels.as_slice(), &b.labels].concat();
    all.sort_unstable();
    all.dedup();
    for &label in &all {
        let (of_a, of_b) = (a.size(label), b.size(label));
        if of_a != of_b && of_a != 1 && of_b != 1 {
            return Err(Refusal::invalid(format!(
                "one index has the extents {of_a} and {of_b}, which do not broadcast"
            ))
            .into());
        }
    }
    let (left, over): (Vec<Label>, Vec<Label>) = all.into_iter().partition(|&label| kept(label));
    let sizes = |labels: &[Label]| labels.iter().map(|&label| a.size(label).max(b.size(label))).collect::<Vec<u32>>();
    if over.is_empty() || !is_float(a.view.data_type) {
        let all = [left, over].concat();
        let sizes = sizes(&all);
        sizes_of("product", &sizes.iter().map(|&size| size as usize).collect::<Vec<_>>())?;
        let (x, y) = (a.over(&all, &sizes), b.over(&all, &sizes));
        let view = lower.binary("ELEMENT_WISE_MULTIPLY", [&x, &y], x.data_type)?;
        return Term { view, labels: all }.summed(lower, kept);
    }
    // Batch labels have an extent above 1 in both operands, and column labels only in the right one. The others are row
    // labels.
    let (batches, rest): (Vec<Label>, Vec<Label>) = left.into_iter().partition(|&l| a.size(l) > 1 && b.size(l) > 1);
    let (columns, rows): (Vec<Label>, Vec<Label>) = rest.into_iter().partition(|&label| b.size(label) > 1);
    let x = matrices(lower, &a, [&batches, &rows, &over], sizes)?;
    let y = matrices(lower, &b, [&batches, &over, &columns], sizes)?;
    let found = multiplied(lower, [&x, &y], Turned::Neither, 1.0, None)?;
    let labels = [batches, rows, columns].concat();
    Ok(Term { view: found.reshaped(&sizes(&labels)), labels })
}

/// Views a term as matrices, each dimension of which stands for several labels. Copies the term if strides cannot
/// express that.
fn matrices(
    lower: &mut Lowering,
    term: &Term,
    parts: [&[Label]; 3],
    sizes: impl Fn(&[Label]) -> Vec<u32>,
) -> Result<View, LoweringError> {
    let each = parts.map(&sizes);
    let whole = term.over(&parts.concat(), &each.concat());
    let joined: Vec<u32> = each.iter().map(|sizes| sizes.iter().product()).collect();
    sizes_of("product", &joined.iter().map(|&size| size as usize).collect::<Vec<_>>())?;
    let mut strides = Vec::new();
    let mut at = 0;
    for part in &each {
        // The stride of the joined dimension, and the distance that all of its steps cover. The loop starts at the last
        // label.
        let mut found: Option<(u32, u32)> = None;
        for d in (at..at + part.len()).rev().filter(|&d| whole.sizes[d] != 1) {
            let (size, stride) = (whole.sizes[d], whole.strides[d]);
            found = match found {
                None => Some((stride, stride.saturating_mul(size))),
                Some((step, all)) if all == stride => Some((step, all.saturating_mul(size))),
                Some(_) => return Ok(lower.copy(&whole)?.reshaped(&joined)),
            };
        }
        strides.push(found.map_or(1, |(step, _)| step));
        at += part.len();
    }
    Ok(View { sizes: joined, strides, ..whole })
}

fn einsum(lower: &mut Lowering) -> Views {
    let views = (0..lower.inputs()).map(|at| lower.input(at)).collect::<Result<Vec<_>, _>>()?;
    let equation = lower.node.string("equation")?;
    let ranks: Vec<usize> = views.iter().map(View::rank).collect();
    let wrong = || Refusal::invalid(format!("`equation` `{equation}` does not fit the inputs"));
    let (named, output) = read(equation, &ranks).ok_or_else(wrong)?;
    let sums = named.iter().flatten().any(|label| !output.contains(label));
    let mut terms = Vec::new();
    for (view, labels) in views.iter().zip(&named) {
        terms.push(Term::new(&widened(lower, view, sums)?, labels).ok_or_else(wrong)?);
    }
    let mut terms = terms.into_iter();
    let mut whole = terms.next().ok_or_else(wrong)?;
    for (at, term) in terms.enumerate() {
        let later = &named[at + 2..];
        whole =
            product(lower, whole, term, |l| output.contains(&l) || later.iter().flatten().any(|known| *known == l))?;
    }
    let whole = whole.summed(lower, |label| output.contains(&label))?;
    let sizes: Vec<u32> = output.iter().map(|&label| whole.size(label)).collect();
    let narrow = views.first().map_or(whole.view.data_type, |view| view.data_type);
    Ok(vec![lower.cast(&whole.over(&output, &sizes), narrow)?])
}

/// Casts integers with fewer than 32 bits if they are summed, because REDUCE does not sum them.
fn widened(lower: &mut Lowering, view: &View, sums: bool) -> Result<View, LoweringError> {
    use TensorDataType::{Int8, Int16, Int32, Uint8, Uint16, Uint32};
    match view.data_type {
        Int8 | Int16 if sums => lower.cast(view, Int32),
        Uint8 | Uint16 if sums => lower.cast(view, Uint32),
        _ => Ok(view.clone()),
    }
}
