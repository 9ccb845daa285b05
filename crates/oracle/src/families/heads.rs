//! Tensors of attention heads. The heads are packed in the last of three dimensions, or have a dimension of their own.

use crate::prelude::*;

/// A tensor of attention heads, together with its layout.
#[derive(Clone, Copy, Debug)]
pub struct Heads<'a> {
    /// The tensor that holds the heads.
    pub tensor: &'a Expected,
    /// The extent of the batch dimension.
    pub batch: usize,
    /// The number of heads.
    pub heads: usize,
    /// The number of tokens.
    pub sequence: usize,
    /// The number of elements that a head has for each token.
    pub size: usize,
    packed: bool,
}

impl<'a> Heads<'a> {
    /// Reads a tensor of shape (batch, heads, sequence, size).
    pub fn unpacked(tensor: &'a Expected) -> Heads<'a> {
        let extent = |d: usize| tensor.shape().get(d).copied().unwrap_or(1);
        Heads { tensor, batch: extent(0), heads: extent(1), sequence: extent(2), size: extent(3), packed: false }
    }

    /// Reads a tensor of shape (batch, sequence, heads * size). `label` names the rule that is violated if `heads` is
    /// missing or not positive, or does not divide the last extent.
    pub fn packed(tensor: &'a Expected, heads: Option<i64>, label: Label) -> Result<Heads<'a>, Refusal> {
        let extent = |d: usize| tensor.shape().get(d).copied().unwrap_or(1);
        let count = heads.and_then(|h| usize::try_from(h).ok()).filter(|&h| h > 0 && extent(2) % h == 0);
        let Some(count) = count else {
            let shape = tensor.shape();
            let reason = match heads {
                Some(heads) => format!("the last extent of shape {shape:?} does not split into {heads} heads"),
                None => format!("the number of heads in a tensor of shape {shape:?} is not given"),
            };
            return Err(Refusal::violates(label, reason));
        };
        let size = extent(2) / count;
        Ok(Heads { tensor, batch: extent(0), heads: count, sequence: extent(1), size, packed: true })
    }

    /// Returns the row-major index of an element in the tensor.
    pub fn index(&self, batch: usize, head: usize, token: usize, element: usize) -> usize {
        match self.packed {
            true => ((batch * self.sequence + token) * self.heads + head) * self.size + element,
            false => ((batch * self.heads + head) * self.sequence + token) * self.size + element,
        }
    }

    /// Iterates over every (batch, head, token).
    pub fn rows(&self) -> impl Iterator<Item = (usize, usize, usize)> + use<> {
        let (batch, heads, sequence) = (self.batch, self.heads, self.sequence);
        (0..batch * heads * sequence).map(move |i| (i / sequence / heads, i / sequence % heads, i % sequence))
    }

    /// Returns the shape of a tensor in this layout that has other numbers of heads, tokens and elements.
    pub fn shape(&self, heads: usize, sequence: usize, size: usize) -> Vec<usize> {
        match self.packed {
            true => vec![self.batch, sequence, heads * size],
            false => vec![self.batch, heads, sequence, size],
        }
    }

    /// Concatenates `past` and these heads along the sequence, `past` first. `past` has the shape (batch, heads,
    /// sequence, size) and may differ from these heads in the extent of the sequence only. The result has the shape
    /// (batch, heads, past + sequence, size).
    pub fn behind(&self, past: Option<&Expected>) -> Result<Expected, Refusal> {
        let before = past.map_or(0, |p| p.extent(2));
        let shape = vec![self.batch, self.heads, before + self.sequence, self.size];
        shape::affordable(&shape)?;
        let extents = shape.clone();
        let sources = [Some(self.tensor), past].into_iter().flatten().collect::<Vec<_>>();
        Expected::assembled(shape, &sources, |i| {
            let at = shape::coordinates(i, &extents);
            match past.filter(|_| at[2] < before) {
                Some(past) => (1, shape::index_of(&at, past.shape())),
                None => (0, self.index(at[0], at[1], at[2] - before, at[3])),
            }
        })
    }
}
