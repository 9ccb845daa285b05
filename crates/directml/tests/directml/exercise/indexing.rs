//! Exercises for operators that read or write at indices.

use super::{Draft, Exercise, Plain, all};

/// Draws an index. It may be negative if `IndicesTensor` has a signed type, as feature levels from 3_0 on allow.
fn index(draft: &mut Draft, size: usize) -> f64 {
    use plumbline_spec::directml::TensorDataType::{Int32, Int64};
    let negative = [Int32, Int64].contains(&draft.data_type("IndicesTensor")) && draft.flip();
    draft.below(size) as f64 - if negative { size as f64 } else { 0.0 }
}

fn from_start(index: f64, size: usize) -> usize {
    (if index < 0.0 { index + size as f64 } else { index }) as usize
}

/// Adds sizes of 1 in front until there are `rank` sizes.
fn led(sizes: &[usize], rank: usize) -> Vec<usize> {
    [vec![1; rank - sizes.len()], sizes.to_vec()].concat()
}

fn beside(draft: &mut Draft) {
    draft.same();
    let mut sizes = draft.sizes("InputTensor");
    let axis = draft.below(sizes.len());
    let count = sizes[axis];
    draft.set_uint("Axis", axis);
    if draft.description.name() == "GATHER_ELEMENTS" {
        sizes[axis] = 3;
        draft.resize("IndicesTensor", &sizes);
        draft.resize("OutputTensor", &sizes);
        draft.fill_by("IndicesTensor", |draft, _| index(draft, count));
    } else {
        // There is one index along the axis, so that no position is updated twice: the documentation does not say which
        // update would stay.
        sizes[axis] = 1;
        draft.resize("IndicesTensor", &sizes);
        draft.resize("UpdatesTensor", &sizes);
        draft.fill_by("IndicesTensor", |draft, _| index(draft, count));
    }
}

/// Sets sizes and attributes, and fills `IndicesTensor` with tuples. The numbers of a tuple are indices into the first
/// dimensions after the batch dimensions.
fn tuples(draft: &mut Draft) {
    let rank = draft.rank("InputTensor");
    let batched = draft.description.operator().field("BatchDimensionCount").is_some() && rank > 1;
    let batches = usize::from(batched && draft.flip());
    let count = rank - usize::from(rank > 2 && draft.flip());
    let sizes: Vec<usize> = (0..count).map(|_| 2 + draft.below(if rank > 4 { 1 } else { 2 })).collect();
    let depth = (1 + draft.below(2)).min(count - batches);
    // Several tuples need a dimension of their own. If there are updates, each batch has a single tuple, so that no
    // position is updated twice.
    let scatter = draft.has("UpdatesTensor");
    let middle: &[usize] = if scatter || batches + 2 > rank { &[] } else { &[3] };
    let outer = [&sizes[..batches], middle].concat();
    let whole = [outer.as_slice(), &sizes[batches + depth..]].concat();
    let indices = [outer.as_slice(), &[depth]].concat();
    draft.resize("InputTensor", &led(&sizes, rank));
    draft.resize("IndicesTensor", &led(&indices, rank));
    if scatter {
        draft.resize("OutputTensor", &led(&sizes, rank));
        draft.resize("UpdatesTensor", &led(&whole, rank));
    } else {
        draft.resize("OutputTensor", &led(&whole, rank));
    }
    draft.set_uint("InputDimensionCount", count);
    draft.set_uint("IndicesDimensionCount", indices.len());
    if draft.description.operator().field("BatchDimensionCount").is_some() {
        draft.set_uint("BatchDimensionCount", batches);
    }
    draft.fill_by("IndicesTensor", |draft, place| index(draft, sizes[batches + place[rank - 1]]));
}

/// Returns an index in the input. It is in the block that the tuple at `outer` selects; `rest` is its part within the
/// block.
fn led_to(draft: &Draft, outer: &[usize], rest: &[usize]) -> Vec<usize> {
    let (x, indices) = (draft.sizes("InputTensor"), draft.input("IndicesTensor"));
    let rank = x.len();
    let first = rank - draft.uint("InputDimensionCount");
    let batches = draft.description.uint("BatchDimensionCount").unwrap_or(0) as usize;
    let depth = indices.sizes[rank - 1];
    let mut found = vec![0; first];
    found.extend(&outer[..batches]);
    for n in 0..depth {
        let tuple = led(&[outer, &[n]].concat(), rank);
        found.push(from_start(indices.at(&tuple), x[first + batches + n]));
    }
    found.extend(rest);
    found
}

/// Returns the index in the input of every element that the tuples select, in the order of the gathered elements or of
/// the updates.
fn places(draft: &Draft) -> Vec<Vec<usize>> {
    let (x, indices) = (draft.sizes("InputTensor"), draft.sizes("IndicesTensor"));
    let rank = x.len();
    let outer = &indices[rank - draft.uint("IndicesDimensionCount")..rank - 1];
    let batches = draft.description.uint("BatchDimensionCount").unwrap_or(0) as usize;
    let rest = &x[rank - draft.uint("InputDimensionCount") + batches + indices[rank - 1]..];
    let rests = all(rest);
    all(outer).iter().flat_map(|outer| rests.iter().map(move |rest| led_to(draft, outer, rest))).collect()
}

fn gathered_nd(draft: &Draft) -> Vec<Plain> {
    let data = places(draft).iter().map(|place| draft.input("InputTensor").at(place)).collect();
    vec![Plain { sizes: draft.sizes("OutputTensor"), data }]
}

pub const EXERCISES: &[Exercise] = &[
    Exercise {
        name: "GATHER",
        shape: |draft| {
            // Indices with one dimension preserve the rank. Zero dimensions lower it by 1, and two raise it by 1, so
            // zero and two are drawn only for ranks above 1.
            let rank = draft.rank("InputTensor");
            let dimensions = if rank > 1 { draft.below(3) } else { 1 };
            let mut sizes = draft.some_sizes(rank);
            if dimensions == 2 {
                sizes[0] = 1;
            }
            let axis = if dimensions == 2 { 1 + draft.below(rank - 1) } else { draft.below(rank) };
            let of_indices = &[3, 2][..dimensions];
            let whole = [&sizes[..axis], of_indices, &sizes[axis + 1..]].concat();
            let output = if whole.len() > rank { whole[1..].to_vec() } else { led(&whole, rank) };
            draft.resize("InputTensor", &sizes);
            draft.resize("IndicesTensor", &led(of_indices, rank));
            draft.resize("OutputTensor", &output);
            draft.set_uint("Axis", axis);
            draft.set_uint("IndexDimensions", dimensions);
            draft.fill_by("IndicesTensor", |draft, _| index(draft, sizes[axis]));
        },
        evaluate: |draft| {
            let (x, axis) = (draft.input("InputTensor"), draft.uint("Axis"));
            let mut data = Vec::new();
            for outer in all(&x.sizes[..axis]) {
                for &index in &draft.input("IndicesTensor").data {
                    for inner in all(&x.sizes[axis + 1..]) {
                        let at = from_start(index, x.sizes[axis]);
                        data.push(x.at(&[outer.as_slice(), &[at], &inner].concat()));
                    }
                }
            }
            vec![Plain { sizes: draft.sizes("OutputTensor"), data }]
        },
    },
    Exercise {
        name: "GATHER_ELEMENTS",
        shape: beside,
        evaluate: |draft| {
            let (x, axis) = (draft.input("InputTensor"), draft.uint("Axis"));
            vec![draft.output("OutputTensor", |index| {
                let mut from = index.to_vec();
                from[axis] = from_start(draft.input("IndicesTensor").at(index), x.sizes[axis]);
                x.at(&from)
            })]
        },
    },
    Exercise { name: "GATHER_ND", shape: tuples, evaluate: gathered_nd },
    Exercise { name: "GATHER_ND1", shape: tuples, evaluate: gathered_nd },
    Exercise {
        name: "SCATTER_ELEMENTS",
        shape: beside,
        evaluate: |draft| {
            let axis = draft.uint("Axis");
            let indices = draft.input("IndicesTensor");
            vec![draft.output("OutputTensor", |index| {
                for place in all(&indices.sizes) {
                    let mut to = place.clone();
                    to[axis] = from_start(indices.at(&place), draft.sizes("InputTensor")[axis]);
                    if to == index {
                        return draft.input("UpdatesTensor").at(&place);
                    }
                }
                draft.input("InputTensor").at(index)
            })]
        },
    },
    Exercise {
        name: "SCATTER_ND",
        shape: tuples,
        evaluate: |draft| {
            let places = places(draft);
            vec![draft.output("OutputTensor", |index| match places.iter().position(|place| place == index) {
                Some(update) => draft.input("UpdatesTensor").data[update],
                None => draft.input("InputTensor").at(index),
            })]
        },
    },
    Exercise {
        name: "ONE_HOT",
        shape: |draft| {
            draft.same();
            let mut sizes = draft.sizes("OutputTensor");
            let axis = draft.below(sizes.len());
            sizes[axis] = 3;
            draft.resize("OutputTensor", &sizes);
            sizes[axis] = 1;
            draft.resize("IndicesTensor", &sizes);
            let values = led(&[2], sizes.len());
            draft.resize("ValuesTensor", &values);
            draft.fill("ValuesTensor", vec![1.0, 4.0]);
            draft.set_uint("Axis", axis);
            draft.fill_by("IndicesTensor", |draft, _| if draft.below(5) == 0 { 7.0 } else { index(draft, 3) });
        },
        evaluate: |draft| {
            let axis = draft.uint("Axis");
            vec![draft.output("OutputTensor", |index| {
                let on = from_start(draft.input("IndicesTensor").at(index), 3) == index[axis];
                draft.input("ValuesTensor").data[usize::from(on)]
            })]
        },
    },
];
