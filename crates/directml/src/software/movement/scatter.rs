//! Operators that write at indices.

use super::super::call::{Call, Run, Written, wrong};
use super::indexing::Tuples;
use super::within;
use plumbline_cpu::kernels::scatter::indices as all_indices;

pub const OPERATORS: &[(&str, Run)] = &[("SCATTER_ELEMENTS", scatter_elements), ("SCATTER_ND", scatter_nd)];

/// Writes the updates into a copy of the input at these positions. If a position occurs more than once, the last update
/// stays.
fn scattered(call: &Call, places: &[usize]) -> Written {
    call.expect("OutputTensor", &call.sizes("InputTensor")?)?;
    let (mut data, updates) = (call.raw("InputTensor")?, call.raw("UpdatesTensor")?);
    places.iter().enumerate().for_each(|(at, &place)| data.set(place, updates.at(at)));
    Ok(vec![call.put_raw("OutputTensor", &data)?])
}

fn scatter_elements(call: &Call) -> Written {
    let (sizes, shape) = (call.sizes("InputTensor")?, call.sizes("IndicesTensor")?);
    let axis = call.axis("Axis", sizes.len())?;
    if shape.iter().zip(&sizes).enumerate().any(|(d, (count, size))| d != axis && count > size) {
        return wrong(
            "IndicesTensor",
            format!("Sizes are {shape:?}, which does not fit InputTensor with Sizes {sizes:?}"),
        );
    }
    call.expect("UpdatesTensor", &shape)?;
    let indices = call.integers("IndicesTensor")?;
    let mut places = Vec::with_capacity(indices.len());
    all_indices(&shape, |index| {
        let along = within(indices[places.len()], sizes[axis]);
        let place = index.iter().enumerate().map(|(d, &i)| if d == axis { along } else { i });
        places.push(place.zip(&sizes).fold(0, |place, (i, size)| place * size + i));
    });
    scattered(call, &places)
}

fn scatter_nd(call: &Call) -> Written {
    let tuples = Tuples::read(call, 0)?;
    let count: usize = tuples.shape.iter().product();
    if call.sizes("UpdatesTensor")?.iter().product::<usize>() != count {
        return wrong(
            "UpdatesTensor",
            format!("must have {count} elements, like a tensor with Sizes {:?}", tuples.shape),
        );
    }
    let places: Vec<usize> = tuples.places.iter().flat_map(|&from| from..from + tuples.block).collect();
    scattered(call, &places)
}
