use crate::prelude::*;

/// GatherElements-11, -13: each index stands for its own place (B1), but along the axis. Ranks are equal and at least 1 (C1), the axis is in
/// range (C2), indices are in bounds (C3), and `indices` is nowhere wider than `data`, but along the axis (C4).
pub fn gather_elements(call: &Call) -> Answer {
    let (data, indices) = (call.tensor("data")?, call.tensor("indices")?);
    if data.rank() == 0 || data.rank() != indices.rank() {
        return Err(Refusal::violates(C1, format!("ranks are {} and {}", data.rank(), indices.rank())));
    }
    let axis = call.axis(call.int("axis")?, data.rank(), C2)?;
    let wider = |d: usize| d != axis && indices.extent(d) > data.extent(d);
    if !indices.is_empty() && (0..data.rank()).any(wider) {
        return Err(Refusal::violates(C4, format!("{:?} reaches beyond {:?}", indices.shape(), data.shape())));
    }
    let extent = data.extent(axis);
    let chosen = call.ints("indices")?.into_iter().map(|k| shape::index_within(k, extent, C3));
    let chosen = chosen.collect::<Result<Vec<_>, _>>()?;
    one(data.moved(indices.shape().to_vec(), |at| {
        let mut from = at.to_vec();
        from[axis] = chosen[shape::index_of(at, indices.shape())];
        from
    })?)
}
