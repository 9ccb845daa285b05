//! The keys and the values of an attention head, whose sums of products are computed together if there are many.

use crate::families::scores::{Scale, in_either_order, score, weighted};
use crate::families::shares::{Ordered, Shares};
use crate::families::tiles::LEAST_PRODUCTS;
use crate::prelude::*;
use crate::steps;
use crate::sum::{Block, Side, has_blocks};

/// The keys of a head.
pub struct Keys {
    rows: Vec<Vec<Number>>,
    /// The keys as columns: scaled by the square root of the factor, and as they are.
    columns: Option<[Side; 2]>,
}

impl Keys {
    /// Takes the keys of a head with this number of queries.
    pub fn new(rows: Vec<Vec<Number>>, queries: usize, scale: &Scale, dtype: DType) -> Keys {
        let size = rows.first().map_or(0, Vec::len);
        let is_large = queries.saturating_mul(rows.len() * size) >= LEAST_PRODUCTS && has_blocks(dtype);
        let side = |f: &dyn Fn(Number) -> Number| {
            Side::of_numbers((0..size).flat_map(|d| rows.iter().map(move |row| f(row[d]))), dtype)
        };
        let columns = is_large.then(|| [side(&|k| k * scale.root), side(&|k| k)]);
        Keys { rows, columns }
    }

    /// Returns the scores of some queries, a row for each (see [`score`]).
    pub fn scores(&self, queries: &[Vec<Number>], scale: &Scale, dtype: DType, label: Label) -> Vec<Vec<Number>> {
        let one = |query: &Vec<Number>, key: &Vec<Number>| score(query, key, scale, dtype, label);
        let Some([scaled, plain]) = &self.columns else {
            return queries.iter().map(|query| self.rows.iter().map(|key| one(query, key)).collect()).collect();
        };
        let size = queries.first().map_or(0, Vec::len);
        let extents = [queries.len(), size, self.rows.len()];
        steps::take(2 * extents.into_iter().product::<usize>());
        let side = |f: &dyn Fn(Number) -> Number| Side::of_numbers(queries.iter().flatten().map(|&q| f(q)), dtype);
        let before = Block::new(dtype, &side(&|q| q * scale.root), scaled, extents);
        let after = Block::new(dtype, &side(&|q| q), plain, extents);
        let number = |i: usize, j: usize| {
            let sums = before.accumulator(i, j, size).zip(after.accumulator(i, j, size));
            let found = sums.map(|(before, after)| in_either_order(before, after, scale, label));
            found.filter(|score| score.mid().is_finite()).unwrap_or_else(|| one(&queries[i], &self.rows[j]))
        };
        (0..queries.len()).map(|i| (0..self.rows.len()).map(|j| number(i, j)).collect()).collect()
    }
}

/// The values of a head: one lane for each of their elements, with the elements of all tokens.
pub struct Values {
    /// The lanes.
    pub lanes: Vec<Vec<Number>>,
    /// The lanes as columns, and each of them in its order, if there are so many weights that their sums are computed
    /// together.
    large: Option<(Side, Vec<Ordered>)>,
}

impl Values {
    /// Takes the lanes of a head, for weights of type `dtype` and this number of queries.
    pub fn new(lanes: Vec<Vec<Number>>, queries: usize, dtype: DType) -> Values {
        let total = lanes.first().map_or(0, Vec::len);
        let has_type = lanes.iter().flatten().next().is_some_and(|x| x.dtype() == dtype);
        let is_large = queries.saturating_mul(lanes.len() * total) >= LEAST_PRODUCTS && has_blocks(dtype);
        let large = (is_large && has_type).then(|| {
            let columns = (0..total).flat_map(|j| lanes.iter().map(move |lane| lane[j]));
            let reals = |lane: &Vec<Number>| lane.iter().map(Number::real).collect::<Vec<Real>>();
            (Side::of_numbers(columns, dtype), lanes.iter().map(|lane| Ordered::new(&reals(lane))).collect())
        });
        Values { lanes, large }
    }

    /// Returns the weighted sum of each lane (see [`weighted`]).
    pub fn weighted(
        &self,
        (weights, shares): (&[Number], Option<&Shares>),
        masked: &[bool],
        dtype: DType,
        label: Label,
    ) -> Vec<Number> {
        let one = |lane: &Vec<Number>| weighted((weights, shares), lane, masked, dtype, label);
        let Some((columns, ordered)) = &self.large else { return self.lanes.iter().map(one).collect() };
        let extents = [1, weights.len(), self.lanes.len()];
        steps::take(extents.into_iter().product());
        let block = Block::new(dtype, &Side::of_numbers(weights.iter().copied(), dtype), columns, extents);
        let lane = |d: usize| {
            let Some(sum) = block.accumulator(0, d, weights.len()) else { return one(&self.lanes[d]) };
            let mut kept = sum.finish_kept();
            if let Some(shares) = shares {
                kept = shares.mean(&ordered[d], kept, (dtype != shares.dtype).then_some(dtype));
            }
            Number::from(kept.to_dtype(dtype)).to_float(dtype)
        };
        (0..self.lanes.len()).map(lane).collect()
    }
}
