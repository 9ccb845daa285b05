//! MULTIHEAD_ATTENTION: weighted means of values, with weights from the products of queries and keys.

use super::call::{Call, Dense, Run, Stop, Written, wrong};
use plumbline_cpu::kernels::row::softmax;
use plumbline_graph::Refusal;

pub const OPERATORS: &[(&str, Run)] =
    &[("MULTIHEAD_ATTENTION", multihead_attention), ("MULTIHEAD_ATTENTION1", multihead_attention)];

/// Queries, keys or values of shape (batch, heads, length, width).
struct Heads {
    batch: usize,
    heads: usize,
    length: usize,
    width: usize,
    data: Vec<f64>,
}

impl Heads {
    fn row(&self, batch: usize, head: usize, place: usize) -> &[f64] {
        &self.data[((batch * self.heads + head) * self.length + place) * self.width..][..self.width]
    }

    fn build(shape: [usize; 4], mut element: impl FnMut([usize; 4]) -> f64) -> Heads {
        let [batch, heads, length, width] = shape;
        let mut data = Vec::with_capacity(shape.iter().product());
        plumbline_cpu::kernels::scatter::indices(&shape, |index| {
            data.push(element([index[0], index[1], index[2], index[3]]));
        });
        Heads { batch, heads, length, width, data }
    }

    /// Reads a tensor of shape (batch, length, heads * width); dimensions of size 1 may be in front.
    fn flat(field: &str, tensor: &Dense, heads: usize) -> Result<Heads, Stop> {
        match tensor.sizes.as_slice() {
            [front @ .., batch, length, width] if front.iter().all(|&n| n == 1) && width.is_multiple_of(heads) => {
                let each = width / heads;
                Ok(Heads::build([*batch, heads, *length, each], |[b, h, l, w]| {
                    tensor.data[(b * length + l) * width + h * each + w]
                }))
            }
            sizes => wrong(field, format!("Sizes are {sizes:?}, expected [1, ..., batch, length, {heads} * width]")),
        }
    }

    /// Reads one of several stacked tensors: the shape is (batch, length, heads, `many`, width), and `which` selects
    /// the tensor.
    fn stacked(field: &str, tensor: &Dense, heads: usize, [which, many]: [usize; 2]) -> Result<Heads, Stop> {
        match tensor.sizes[..] {
            [batch, length, own, stacked, width] if own == heads && stacked == many => {
                Ok(Heads::build([batch, heads, length, width], |[b, h, l, w]| {
                    tensor.data[(((b * length + l) * heads + h) * many + which) * width + w]
                }))
            }
            _ => {
                wrong(field, format!("Sizes are {:?}, expected [batch, length, {heads}, {many}, width]", tensor.sizes))
            }
        }
    }

    /// Appends these rows to those of the past.
    fn behind(self, field: &str, past: Option<Dense>) -> Result<Heads, Stop> {
        let Some(past) = past else { return Ok(self) };
        let (before, shape) = match past.sizes.as_slice() {
            [front @ .., batch, heads, before, width]
                if front.iter().all(|&n| n == 1)
                    && [*batch, *heads, *width] == [self.batch, self.heads, self.width] =>
            {
                (*before, [*batch, *heads, before + self.length, *width])
            }
            sizes => return wrong(field, format!("Sizes are {sizes:?}, which does not fit the new keys or values")),
        };
        Ok(Heads::build(shape, |[b, h, l, w]| match l.checked_sub(before) {
            Some(l) => self.row(b, h, l)[w],
            None => past.data[((b * self.heads + h) * before + l) * self.width + w],
        }))
    }

    /// Adds a bias, which has a number for each head and position within the width.
    fn add(&mut self, bias: &[f64]) {
        let (heads, width) = (self.heads, self.width);
        for (at, row) in self.data.chunks_mut(width).enumerate() {
            let head = at / self.length % heads;
            row.iter_mut().zip(&bias[head * width..]).for_each(|(x, bias)| *x += bias);
        }
    }
}

/// Reads the only one of these fields that is set. Each field comes with the index of the wanted tensor in the stack,
/// and the number of stacked tensors.
fn gathered(call: &Call, fields: [(&str, [usize; 2]); 3], heads: usize) -> Result<Heads, Stop> {
    let mut there = fields.into_iter().filter(|(field, _)| call.has(field));
    let Some((field, place)) = there.next() else {
        return wrong(fields[0].0, "is missing, and no stacked tensor contains it");
    };
    if let Some((other, _)) = there.next() {
        return wrong(other, format!("is given together with {field}, but only one may be"));
    }
    let tensor = call.numbers(field)?;
    if place[1] == 1 { Heads::flat(field, &tensor, heads) } else { Heads::stacked(field, &tensor, heads, place) }
}

/// Returns the mask: for each batch, head, query and key, whether the key takes part.
fn mask(call: &Call, shape: [usize; 4]) -> Result<Vec<bool>, Stop> {
    let [batch, heads, queries, keys] = shape;
    let count = batch * heads * queries * keys;
    let kind = call.uint("MaskType")?;
    if kind == 0 {
        return Ok(vec![true; count]);
    }
    let (given, sizes) = (call.integers("MaskTensor")?, call.sizes("MaskTensor")?);
    let place = |at: usize| (at / (heads * queries * keys), at % keys);
    let fits = |wanted: usize| match given.len() == wanted {
        true => Ok(()),
        false => wrong("MaskTensor", format!("Sizes are {sizes:?}, which does not fit a batch of {batch}")),
    };
    match kind {
        1 => {
            fits(batch)?;
            Ok((0..count).map(|at| (place(at).1 as i64) < given[place(at).0]).collect())
        }
        2 => {
            fits(2 * batch)?;
            let within = |(b, key): (usize, usize)| given[batch + b] <= key as i64 && (key as i64) < given[b];
            Ok((0..count).map(|at| within(place(at))).collect())
        }
        4 => {
            let skip = shape.len().saturating_sub(sizes.len());
            let more = sizes.len().saturating_sub(shape.len());
            let own = [vec![1; skip], sizes[more..].to_vec()].concat();
            if own.iter().zip(&shape).any(|(own, size)| *own != 1 && own != size) {
                return wrong("MaskTensor", format!("Sizes are {sizes:?}, which does not broadcast to {shape:?}"));
            }
            let mask = Dense { sizes: own, data: given.iter().map(|&x| x as f64).collect() };
            let mut found = Vec::with_capacity(count);
            plumbline_cpu::kernels::scatter::indices(&shape, |index| found.push(mask.at(index) != 0.0));
            Ok(found)
        }
        _ => Err(Refusal::unsupported("no kernel implements this MaskType").into()),
    }
}

fn multihead_attention(call: &Call) -> Written {
    let grouped = call.description.operator().field("QueryHeadCount").is_some();
    let [heads, of_keys] = if grouped { ["QueryHeadCount", "KeyValueHeadCount"] } else { ["HeadCount"; 2] };
    let (heads, of_keys) = (call.uint(heads)?, call.uint(of_keys)?);
    if heads == 0 || of_keys == 0 || !heads.is_multiple_of(of_keys) {
        return wrong(
            if grouped { "KeyValueHeadCount" } else { "HeadCount" },
            format!("is {of_keys}, but the number of query heads, {heads}, is not a positive multiple of it"),
        );
    }
    if grouped && call.has("PastSequenceLengthsTensor") {
        // DirectML's documentation does not describe this tensor.
        return Err(Refusal::unsupported("no kernel implements PastSequenceLengthsTensor").into());
    }
    let (two, three) = ("StackedQueryKeyTensor", "StackedQueryKeyValueTensor");
    let mut query = gathered(call, [("QueryTensor", [0, 1]), (two, [0, 2]), (three, [0, 3])], heads)?;
    let keys = "StackedKeyValueTensor";
    let of_key = match call.has(keys) {
        true => [("KeyTensor", [0, 1]), (keys, [0, 2]), (three, [1, 3])],
        false => [("KeyTensor", [0, 1]), (two, [1, 2]), (three, [1, 3])],
    };
    let mut key = gathered(call, of_key, of_keys)?;
    let mut value = gathered(call, [("ValueTensor", [0, 1]), (keys, [1, 2]), (three, [2, 3])], of_keys)?;
    if let Some(bias) = call.optional_numbers("BiasTensor")? {
        let widths = [&query, &key, &value].map(|heads| heads.heads * heads.width);
        if bias.data.len() != widths.iter().sum::<usize>() {
            return wrong("BiasTensor", format!("has {} elements, expected the sum of {widths:?}", bias.data.len()));
        }
        let (of_query, rest) = bias.data.split_at(widths[0]);
        query.add(of_query);
        key.add(&rest[..widths[1]]);
        value.add(&rest[widths[1]..]);
    }
    let key = key.behind("PastKeyTensor", call.optional_numbers("PastKeyTensor")?)?;
    let value = value.behind("PastValueTensor", call.optional_numbers("PastValueTensor")?)?;
    if key.length != value.length || key.width != query.width || [key.batch, value.batch] != [query.batch; 2] {
        return wrong("KeyTensor", "does not fit the sizes of queries and values");
    }
    let shape = [query.batch, heads, query.length, key.length];
    let (scale, filter, mask) = (call.float("Scale")?, call.float("MaskFilterValue")?, mask(call, shape)?);
    let position = call.optional_numbers("RelativePositionBiasTensor")?;
    if let Some(position) = &position
        && position.data.len() != shape.iter().product::<usize>()
    {
        return wrong("RelativePositionBiasTensor", format!("Sizes are {:?}, expected {shape:?}", position.sizes));
    }
    let mut found = vec![0.0; query.batch * query.length * heads * value.width];
    for at in 0..query.batch * heads * query.length {
        let (batch, head, place) = (at / query.length / heads, at / query.length % heads, at % query.length);
        let own = head / (heads / of_keys);
        let score = |n: usize| {
            let product: f64 =
                query.row(batch, head, place).iter().zip(key.row(batch, own, n)).map(|(q, k)| q * k).sum();
            let at = at * key.length + n;
            let masked = if mask[at] { 0.0 } else { filter };
            product * scale + position.as_ref().map_or(0.0, |position| position.data[at]) + masked
        };
        let scores: Vec<f64> = (0..key.length).map(score).collect();
        let mut weights = vec![0.0; key.length];
        softmax(&scores, &mut weights);
        let out = &mut found[((batch * query.length + place) * heads + head) * value.width..][..value.width];
        for (n, weight) in weights.iter().enumerate() {
            out.iter_mut().zip(value.row(batch, own, n)).for_each(|(out, value)| *out += weight * value);
        }
    }
    let mut written = vec![call.put("OutputTensor", &found)?];
    for (field, heads) in [("OutputPresentKeyTensor", &key), ("OutputPresentValueTensor", &value)] {
        if call.has(field) {
            written.push(call.put(field, &heads.data)?);
        }
    }
    Ok(written)
}
