//! Exercises for operators that move elements.

use super::{Draft, Exercise, Plain};
use plumbline_directml::Attribute;
use plumbline_spec::directml::TensorDataType;

/// Returns an index with one component changed.
fn with(index: &[usize], d: usize, place: usize) -> Vec<usize> {
    let mut index = index.to_vec();
    index[d] = place;
    index
}

/// Sets three parts with different extents along an axis.
fn draw_pieces(draft: &mut Draft, whole: &str, parts: &'static str, count: &str) {
    let rank = draft.rank(whole);
    let sizes = draft.some_sizes(rank);
    let axis = draft.below(rank);
    draft.set_uint("Axis", axis);
    draft.set_uint(count, 3);
    let all: Vec<Vec<usize>> = [2, 1, 3].iter().map(|&extent| with(&sizes, axis, extent)).collect();
    draft.resize(whole, &with(&sizes, axis, 6));
    draft.resize_all(parts, &all);
}

/// Returns whether a dimension must have no offset, stride, padding or repeats. In tensors of more than 4 dimensions,
/// that holds for every second dimension, so that the tensors stay small. Slices and padding also give such dimensions
/// size 1.
fn quiet(rank: usize, d: usize) -> bool {
    rank > 4 && d % 2 == 1
}

/// Sets the window of a slice: in each dimension its offset, extent and stride, and the number of elements that the
/// slice keeps.
fn window(draft: &mut Draft, whole: &str, part: &str, negative: bool) {
    let rank = draft.rank(whole);
    let mut rows = [Vec::new(), Vec::new(), Vec::new(), Vec::new()];
    let mut strides = Vec::new();
    for d in 0..rank {
        let some = |draft: &mut Draft| if quiet(rank, d) { 0 } else { draft.below(2) };
        let offset = some(draft);
        let (stride, count) = (1 + some(draft), 1 + some(draft));
        let extent = (count - 1) * stride + 1 + draft.below(stride);
        let sign = if negative && draft.flip() { -1 } else { 1 };
        strides.push(sign * stride as i32);
        let size = offset + extent + some(draft);
        for (row, value) in rows.iter_mut().zip([offset, extent, count, size]) {
            row.push(value);
        }
    }
    let [offsets, extents, counts, sizes] = rows;
    draft.resize(whole, &sizes);
    draft.resize(part, &counts);
    draft.set_uint("DimensionCount", rank);
    if negative {
        draft.set_uints("InputWindowOffsets", &offsets);
        draft.set_uints("InputWindowSizes", &extents);
        draft.set("InputWindowStrides", Attribute::IntArray(strides));
    } else {
        draft.set_uints("Offsets", &offsets);
        draft.set_uints("Sizes", &counts);
        draft.set_uints("Strides", &strides.iter().map(|&stride| stride as usize).collect::<Vec<_>>());
    }
}

/// Returns the index in the input that an element of a window comes from.
fn from_window(draft: &Draft, index: &[usize]) -> Vec<usize> {
    let (offsets, extents) = (draft.uints("InputWindowOffsets"), draft.uints("InputWindowSizes"));
    let Some(Attribute::IntArray(strides)) = draft.description.attribute("InputWindowStrides") else { panic!() };
    let place = |d: usize| {
        let start = if strides[d] < 0 { offsets[d] + extents[d] - 1 } else { offsets[d] };
        (start as i64 + i64::from(strides[d]) * index[d] as i64) as usize
    };
    (0..index.len()).map(place).collect()
}

fn padding(draft: &mut Draft) {
    let rank = draft.rank("InputTensor");
    let mut some = |least: usize| -> Vec<usize> {
        (0..rank).map(|d| if quiet(rank, d) { least.min(1) } else { least + draft.below(2) }).collect()
    };
    let (sizes, start, end) = (some(2), some(0), some(0));
    draft.resize("InputTensor", &sizes);
    draft.resize("OutputTensor", &(0..rank).map(|d| start[d] + sizes[d] + end[d]).collect::<Vec<_>>());
    draft.set_uint("DimensionCount", rank);
    draft.set_uints("StartPadding", &start);
    draft.set_uints("EndPadding", &end);
    // The mode is CONSTANT, EDGE or REFLECTION, which every level has. SYMMETRIC came with 3_0, and WRAP with 6_4.
    let mode = draft.below(3);
    draft.set_uint("PaddingMode", mode);
    match draft.description.operator().field("PaddingValueDataType") {
        Some(_) => draft.set_scalar("PaddingValue", draft.data_type("InputTensor"), 5.0),
        None => draft.set_float("PaddingValue", 5.0),
    }
}

fn padded(draft: &Draft) -> Vec<Plain> {
    let (x, start, mode) = (draft.input("InputTensor"), draft.uints("StartPadding"), draft.uint("PaddingMode"));
    vec![draft.output("OutputTensor", |index| {
        let mut from = Vec::new();
        for (d, &size) in x.sizes.iter().enumerate() {
            let (at, last) = (index[d] as i64 - start[d] as i64, size as i64 - 1);
            let outside = at < 0 || at > last;
            from.push(match mode {
                0 if outside => return 5.0,
                1 => at.max(0).min(last),
                2 if at < 0 => -at,
                2 if at > last => 2 * last - at,
                _ => at,
            } as usize);
        }
        x.at(&from)
    })]
}

/// Sets the sizes of an image (`flat`) and of the tensor whose channels hold the blocks of the image (`deep`).
fn blocks(draft: &mut Draft, [deep, flat]: [&'static str; 2]) {
    let block = 1 + draft.below(3);
    draft.resize(flat, &[2, 2, 2 * block, 3 * block]);
    draft.resize(deep, &[2, 2 * block * block, 2, 3]);
    draft.set_uint("BlockSize", block);
    if draft.description.operator().field("Order").is_some() {
        let order = draft.below(2);
        draft.set_uint("Order", order);
    }
}

/// Returns the channel of the deep tensor for the image's channel `depth` and a position in a block.
fn channel(draft: &Draft, depth: usize, depths: usize, row: usize, column: usize) -> usize {
    let block = draft.uint("BlockSize");
    match draft.description.uint("Order") {
        Some(1) => depth * block * block + row * block + column,
        _ => (row * block + column) * depths + depth,
    }
}

fn depth_to_space(draft: &Draft) -> Vec<Plain> {
    let (block, depths) = (draft.uint("BlockSize"), draft.sizes("OutputTensor")[1]);
    vec![draft.output("OutputTensor", |index| {
        let channel = channel(draft, index[1], depths, index[2] % block, index[3] % block);
        draft.input("InputTensor").at(&[index[0], channel, index[2] / block, index[3] / block])
    })]
}

fn space_to_depth(draft: &Draft) -> Vec<Plain> {
    let (block, depths) = (draft.uint("BlockSize"), draft.sizes("InputTensor")[1]);
    vec![draft.output("OutputTensor", |index| {
        for depth in 0..depths {
            for row in 0..block {
                for column in 0..block {
                    if channel(draft, depth, depths, row, column) == index[1] {
                        let from = [index[0], depth, index[2] * block + row, index[3] * block + column];
                        return draft.input("InputTensor").at(&from);
                    }
                }
            }
        }
        f64::NAN
    })]
}

pub const EXERCISES: &[Exercise] = &[
    Exercise {
        name: "JOIN",
        shape: |draft| draw_pieces(draft, "OutputTensor", "InputTensors", "InputCount"),
        evaluate: |draft| {
            let axis = draft.uint("Axis");
            vec![draft.output("OutputTensor", |index| {
                let (mut at, mut part) = (index[axis], 0);
                while at >= draft.sizes_of("InputTensors", part)[axis] {
                    at -= draft.sizes_of("InputTensors", part)[axis];
                    part += 1;
                }
                draft.read[&("InputTensors", part)].at(&with(index, axis, at))
            })]
        },
    },
    Exercise {
        name: "SPLIT",
        shape: |draft| draw_pieces(draft, "InputTensor", "OutputTensors", "OutputCount"),
        evaluate: |draft| {
            let (axis, mut before, mut found) = (draft.uint("Axis"), 0, Vec::new());
            for part in 0..3 {
                let sizes = draft.sizes_of("OutputTensors", part);
                let element =
                    |index: Vec<usize>| draft.input("InputTensor").at(&with(&index, axis, before + index[axis]));
                let data = super::all(&sizes).into_iter().map(element).collect();
                before += sizes[axis];
                found.push(Plain { sizes, data });
            }
            found
        },
    },
    Exercise {
        name: "SLICE",
        shape: |draft| window(draft, "InputTensor", "OutputTensor", false),
        evaluate: |draft| {
            let (offsets, strides) = (draft.uints("Offsets"), draft.uints("Strides"));
            vec![draft.output("OutputTensor", |index| {
                let from: Vec<usize> = (0..index.len()).map(|d| offsets[d] + strides[d] * index[d]).collect();
                draft.input("InputTensor").at(&from)
            })]
        },
    },
    Exercise {
        name: "SLICE1",
        shape: |draft| window(draft, "InputTensor", "OutputTensor", true),
        evaluate: |draft| {
            vec![draft.output("OutputTensor", |index| draft.input("InputTensor").at(&from_window(draft, index)))]
        },
    },
    Exercise {
        name: "SLICE_GRAD",
        shape: |draft| window(draft, "OutputGradientTensor", "InputGradientTensor", true),
        evaluate: |draft| {
            let gradient = draft.input("InputGradientTensor");
            vec![draft.output("OutputGradientTensor", |index| {
                let from = |part: &Vec<usize>| from_window(draft, part) == index;
                super::all(&gradient.sizes).into_iter().find(from).map_or(0.0, |part| gradient.at(&part))
            })]
        },
    },
    Exercise { name: "PADDING", shape: padding, evaluate: padded },
    Exercise { name: "PADDING1", shape: padding, evaluate: padded },
    Exercise {
        name: "TILE",
        shape: |draft| {
            let rank = draft.rank("InputTensor");
            let rank = rank.max(draft.rank("OutputTensor"));
            let sizes = draft.some_sizes(rank);
            let repeats: Vec<usize> = (0..rank).map(|d| 1 + if quiet(rank, d) { 0 } else { draft.below(2) }).collect();
            draft.resize("InputTensor", &sizes);
            draft.resize("OutputTensor", &(0..rank).map(|d| sizes[d] * repeats[d]).collect::<Vec<_>>());
            draft.set_uint("RepeatsCount", rank);
            draft.set_uints("Repeats", &repeats);
        },
        evaluate: |draft| {
            let x = draft.input("InputTensor");
            vec![draft.output("OutputTensor", |index| {
                let from: Vec<usize> = index.iter().zip(&x.sizes).map(|(i, size)| i % size).collect();
                x.at(&from)
            })]
        },
    },
    Exercise {
        name: "DEPTH_TO_SPACE",
        shape: |draft| blocks(draft, ["InputTensor", "OutputTensor"]),
        evaluate: depth_to_space,
    },
    Exercise {
        name: "DEPTH_TO_SPACE1",
        shape: |draft| blocks(draft, ["InputTensor", "OutputTensor"]),
        evaluate: depth_to_space,
    },
    Exercise {
        name: "SPACE_TO_DEPTH",
        shape: |draft| blocks(draft, ["OutputTensor", "InputTensor"]),
        evaluate: space_to_depth,
    },
    Exercise {
        name: "SPACE_TO_DEPTH1",
        shape: |draft| blocks(draft, ["OutputTensor", "InputTensor"]),
        evaluate: space_to_depth,
    },
    Exercise {
        name: "REVERSE_SUBSEQUENCES",
        shape: |draft| {
            draft.same();
            let mut sizes = draft.sizes("InputTensor");
            let axis = draft.below(sizes.len());
            sizes[axis] = 3;
            draft.resize("InputTensor", &sizes);
            draft.resize("OutputTensor", &sizes);
            sizes[axis] = 1;
            draft.resize("SequenceLengthsTensor", &sizes);
            draft.set_uint("Axis", axis);
            draft.fill_by("SequenceLengthsTensor", |draft, _| 1.0 + draft.below(3) as f64);
        },
        evaluate: |draft| {
            let axis = draft.uint("Axis");
            vec![draft.output("OutputTensor", |index| {
                let length = draft.input("SequenceLengthsTensor").at(index) as usize;
                let at = if index[axis] < length { length - 1 - index[axis] } else { index[axis] };
                draft.input("InputTensor").at(&with(index, axis, at))
            })]
        },
    },
    Exercise {
        name: "NONZERO_COORDINATES",
        shape: |draft| {
            let rank = draft.rank("InputTensor").max(2);
            let sizes: Vec<usize> = draft.some_sizes(rank);
            let of_input = sizes[rank - draft.rank("InputTensor")..].to_vec();
            draft.resize("InputTensor", &of_input);
            let ones = vec![1; draft.rank("OutputCountTensor")];
            draft.resize("OutputCountTensor", &ones);
            let mut found = vec![1; draft.rank("OutputCoordinatesTensor")];
            let at = found.len() - 2;
            (found[at], found[at + 1]) = (of_input.iter().product(), of_input.len());
            draft.resize("OutputCoordinatesTensor", &found);
            let values = if draft.data_type("InputTensor") == TensorDataType::Uint8 { [0.0, 1.0] } else { [0.0, 2.0] };
            draft.fill_by("InputTensor", |draft, _| values[draft.below(2)]);
        },
        evaluate: |draft| {
            let x = draft.input("InputTensor");
            let found: Vec<Vec<usize>> = super::all(&x.sizes).into_iter().filter(|index| x.at(index) != 0.0).collect();
            let coordinates = draft.output("OutputCoordinatesTensor", |index| {
                let [.., row, column] = index else { panic!() };
                found.get(*row).map_or(super::ANY, |found| found[*column] as f64)
            });
            vec![draft.output("OutputCountTensor", |_| found.len() as f64), coordinates]
        },
    },
];
