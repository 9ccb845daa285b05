//! Laws of operators that move elements, checked with the oracle: one operator undoes another, or two models compute
//! the same.

use crate::common::untyped;
use plumbline_oracle::Oracle;
use plumbline_tensor::{DType, Tensor};
use proptest::prelude::*;

/// The opset at which the laws are checked, except that of SpaceToDepth.
const OPSET: i64 = 25;

/// Returns the outputs of one operator. Panics if the oracle accepts more than one answer.
fn certain_outputs(node: &str, opset: i64, inputs: &[&Tensor], outputs: usize) -> Vec<Tensor> {
    let model = untyped(node, opset, inputs.len(), outputs);
    let inputs: Vec<_> = inputs.iter().map(|&t| t.clone().into()).collect();
    let answer = Oracle::default().answer(&model, &inputs).unwrap();
    let tensor = |o: &plumbline_oracle::Operand| {
        let expected = o.tensor().unwrap();
        assert!(expected.is_certain(), "an operator that only moves elements leaves nothing open");
        expected.tensor.clone()
    };
    answer.iter().map(tensor).collect()
}

/// Returns the only output of one operator.
fn run(node: &str, inputs: &[&Tensor]) -> Tensor {
    certain_outputs(node, OPSET, inputs, 1).remove(0)
}

fn list(values: &[i64]) -> Tensor {
    Tensor::from_i64s(values)
}

/// Returns a tensor whose elements are all different.
fn counted(shape: &[usize]) -> Tensor {
    let count = shape.iter().product::<usize>() as i64;
    list(&(0..count).map(|i| i * 7 - 3).collect::<Vec<_>>()).reshaped(shape.to_vec()).unwrap()
}

fn shapes(ranks: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0usize..=4, ranks)
}

/// Draws a shape and one of its axes.
fn with_axis() -> impl Strategy<Value = (Vec<usize>, usize)> {
    shapes(1..=4).prop_flat_map(|shape| {
        let rank = shape.len();
        (Just(shape), 0..rank)
    })
}

fn as_i64s(shape: &[usize]) -> Vec<i64> {
    shape.iter().map(|&e| e as i64).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Law: Transpose
    #[test]
    fn transposing_by_the_inverse_permutation_undoes_a_transposition(
        (shape, perm) in shapes(0..=5).prop_flat_map(|s| {
            let axes: Vec<i64> = (0..s.len() as i64).collect();
            (Just(s), Just(axes).prop_shuffle())
        })
    ) {
        let x = counted(&shape);
        let mut inverse = vec![0; perm.len()];
        perm.iter().enumerate().for_each(|(i, &axis)| inverse[axis as usize] = i as i64);
        let there = run(&format!("Transpose <perm: ints = {perm:?}>"), &[&x]);
        prop_assert_eq!(run(&format!("Transpose <perm: ints = {inverse:?}>"), &[&there]), x);
    }

    /// Law: Split, Concat
    #[test]
    fn concat_undoes_split((shape, axis) in with_axis(), cuts in prop::collection::vec(0usize..=4, 0..=3)) {
        let mut cuts: Vec<usize> = cuts.into_iter().map(|c| c.min(shape[axis])).collect();
        cuts.sort_unstable();
        cuts.insert(0, 0);
        cuts.push(shape[axis]);
        let lengths: Vec<i64> = cuts.windows(2).map(|w| (w[1] - w[0]) as i64).collect();
        let x = counted(&shape);
        let parts = certain_outputs(&format!("Split <axis = {}>", axis as i64), OPSET, &[&x, &list(&lengths)], lengths.len());
        let parts: Vec<&Tensor> = parts.iter().collect();
        prop_assert_eq!(run(&format!("Concat <axis = {}>", axis as i64), &parts), x);
    }

    /// Law: Unsqueeze, Squeeze
    #[test]
    fn squeeze_undoes_unsqueeze(shape in shapes(0..=3), axes in prop::collection::btree_set(0i64..=4, 1..=2)) {
        let rank = (shape.len() + axes.len()) as i64;
        let axes: Vec<i64> = axes.into_iter().filter(|&axis| axis < rank).collect();
        prop_assume!(axes.iter().all(|&axis| axis < (shape.len() + axes.len()) as i64));
        let x = counted(&shape);
        let wide = run("Unsqueeze", &[&x, &list(&axes)]);
        prop_assert_eq!(run("Squeeze", &[&wide, &list(&axes)]), x);
    }

    /// Law: Reshape, Flatten
    #[test]
    fn flatten_is_a_reshape((shape, axis) in with_axis()) {
        let x = counted(&shape);
        let (outer, inner) = shape.split_at(axis);
        let wanted = [outer.iter().product::<usize>() as i64, inner.iter().product::<usize>() as i64];
        let reshaped = run("Reshape <allowzero = 1>", &[&x, &list(&wanted)]);
        prop_assert_eq!(run(&format!("Flatten <axis = {}>", axis as i64), &[&x]), reshaped);
    }

    /// Law: SpaceToDepth, DepthToSpace
    #[test]
    fn depth_to_space_undoes_space_to_depth(extents in prop::array::uniform4(0usize..=3), block in 1usize..=3, dcr: bool) {
        let [n, c, h, w] = extents;
        let x = counted(&[n, c, h * block, w * block]);
        let mode = format!(r#"<blocksize = {block}, mode = "{}">"#, if dcr { "DCR" } else { "CRD" });
        let deep = certain_outputs(&format!("SpaceToDepth {mode}"), 28, &[&x], 1).remove(0);
        prop_assert_eq!(certain_outputs(&format!("DepthToSpace {mode}"), 28, &[&deep], 1).remove(0), x);
    }

    /// Law: ReverseSequence
    #[test]
    fn reversing_twice_changes_nothing(shape in shapes(2..=4), lengths in prop::collection::vec(0i64..=4, 4)) {
        let lengths: Vec<i64> = lengths[..shape[1]].iter().map(|&l| l.min(shape[0] as i64)).collect();
        let x = counted(&shape);
        let back = run("ReverseSequence", &[&x, &list(&lengths)]);
        prop_assert_eq!(run("ReverseSequence", &[&back, &list(&lengths)]), x);
    }

    /// Law: Slice, Gather
    #[test]
    fn a_slice_gathers_a_range((shape, axis) in with_axis(), start in 0i64..=4, count in 0i64..=4, step in -3i64..=3) {
        prop_assume!(step != 0);
        let extent = shape[axis] as i64;
        let taken: Vec<i64> =
            (0..count).map(|i| start + i * step).take_while(|at| (0..extent).contains(at)).collect();
        let Some(&last) = taken.last() else { return Ok(()) };
        // The end is one index beyond the last taken element, in the direction of the step. An end before the first
        // element of the axis is written as the smallest int64.
        let end = if last + step.signum() < 0 { i64::MIN } else { last + step.signum() };
        let x = counted(&shape);
        let sliced = run("Slice", &[&x, &list(&[start]), &list(&[end]), &list(&[axis as i64]), &list(&[step])]);
        prop_assert_eq!(run(&format!("Gather <axis = {}>", axis as i64), &[&x, &list(&taken)]), sliced);
    }

    /// Law: Pad, Slice
    #[test]
    fn negative_pads_and_slices_undo_pads(
        (shape, begins, ends) in shapes(1..=4).prop_flat_map(|s| {
            let rank = s.len();
            (Just(s), prop::collection::vec(0i64..=3, rank), prop::collection::vec(0i64..=3, rank))
        })
    ) {
        let x = counted(&shape);
        let padded = run("Pad", &[&x, &list(&[&begins[..], &ends[..]].concat())]);
        let negative: Vec<i64> = begins.iter().chain(&ends).map(|p| -p).collect();
        prop_assert_eq!(&run("Pad", &[&padded, &list(&negative)]), &x);
        let behind: Vec<i64> = begins.iter().zip(&shape).map(|(&b, &e)| b + e as i64).collect();
        prop_assert_eq!(run("Slice", &[&padded, &list(&begins), &list(&behind)]), x);
    }

    /// Law: Pad, Tile, Slice
    #[test]
    fn wrap_padding_is_part_of_a_tiling(extent in 1usize..=4, begin in 0i64..=6, end in 0i64..=6) {
        let x = counted(&[extent]);
        let wrapped = run(r#"Pad <mode = "wrap">"#, &[&x, &list(&[begin, end])]);
        let tiled = run("Tile", &[&x, &list(&[16])]);
        // The ninth of the 16 copies stands for the data without padding.
        let start = 8 * extent as i64 - begin;
        let behind = 9 * extent as i64 + end;
        prop_assert_eq!(run("Slice", &[&tiled, &list(&[start]), &list(&[behind])]), wrapped);
    }

    /// Law: ScatterElements, GatherElements
    #[test]
    fn gathering_returns_scattered_elements(
        (shape, axis) in with_axis(),
        order in Just(vec![0i64, 1, 2, 3]).prop_shuffle(),
        count in 0usize..=4,
    ) {
        let mut narrow = shape.clone();
        narrow[axis] = count.min(shape[axis]);
        let chosen: Vec<i64> = order.into_iter().filter(|&i| i < shape[axis] as i64).take(narrow[axis]).collect();
        prop_assert_eq!(chosen.len(), narrow[axis]);
        let inner: usize = narrow[axis + 1..].iter().product();
        let indices: Vec<i64> = (0..narrow.iter().product()).map(|i: usize| chosen[i / inner.max(1) % chosen.len().max(1)]).collect();
        let indices = list(&indices).reshaped(narrow.clone()).unwrap();
        let updates = run("Add", &[&counted(&narrow), &list(&[1000])]);
        let scattered = run(&format!("ScatterElements <axis = {axis}>"), &[&counted(&shape), &indices, &updates]);
        prop_assert_eq!(run(&format!("GatherElements <axis = {axis}>"), &[&scattered, &indices]), updates);
    }

    /// Law: ScatterND, GatherND
    #[test]
    fn gathering_by_coordinates_returns_scattered_elements(rows in 1usize..=4, columns in 1usize..=4, order in Just(vec![0i64, 1, 2, 3]).prop_shuffle()) {
        let chosen: Vec<i64> = order.into_iter().filter(|&i| i < rows as i64).collect();
        let indices = list(&chosen).reshaped(vec![chosen.len(), 1]).unwrap();
        let updates = run("Add", &[&counted(&[chosen.len(), columns]), &list(&[1000])]);
        let scattered = run("ScatterND", &[&counted(&[rows, columns]), &indices, &updates]);
        prop_assert_eq!(run("GatherND", &[&scattered, &indices]), updates);
    }

    /// Law: Concat, Tile
    #[test]
    fn tiles_are_copies_side_by_side((shape, axis) in with_axis(), copies in 1usize..=3) {
        let x = counted(&shape);
        let mut repeats = vec![1; shape.len()];
        repeats[axis] = copies as i64;
        let joined = run(&format!("Concat <axis = {}>", axis as i64), &vec![&x; copies]);
        prop_assert_eq!(run("Tile", &[&x, &list(&repeats)]), joined);
    }

    /// Law: Tile, Expand
    #[test]
    fn expanding_an_extent_of_one_is_tiling((mut shape, axis) in with_axis(), extent in 0usize..=4) {
        shape[axis] = 1;
        let x = counted(&shape);
        let mut repeats = vec![1; shape.len()];
        repeats[axis] = extent as i64;
        let tiled = run("Tile", &[&x, &list(&repeats)]);
        shape[axis] = extent;
        prop_assert_eq!(run("Expand", &[&x, &list(&as_i64s(&shape))]), tiled);
    }

    /// Law: Trilu, Add
    #[test]
    fn two_triangles_sum_to_the_matrix(shape in shapes(2..=4), k in -5i64..=5) {
        let x = counted(&shape);
        let diagonal = |k: i64| Tensor::from_i64(k);
        let upper = run("Trilu", &[&x, &diagonal(k)]);
        let lower = run("Trilu <upper = 0>", &[&x, &diagonal(k - 1)]);
        prop_assert_eq!(run("Add", &[&upper, &lower]), x);
    }

    /// Law: NonZero, Compress, Gather
    #[test]
    fn compress_gathers_what_is_not_zero((shape, axis) in with_axis(), flags in prop::collection::vec(any::<bool>(), 4)) {
        let flags: Vec<i128> = flags[..shape[axis]].iter().map(|&f| i128::from(f)).collect();
        let condition = Tensor::from_i128s(DType::Bool, vec![flags.len()], &flags).unwrap();
        let x = counted(&shape);
        let places = run("NonZero", &[&condition]);
        let places = run("Squeeze", &[&places, &list(&[0])]);
        let compressed = run(&format!("Compress <axis = {}>", axis as i64), &[&x, &condition]);
        prop_assert_eq!(run(&format!("Gather <axis = {}>", axis as i64), &[&x, &places]), compressed);
    }

    /// Law: ConstantOfShape, EyeLike, OneHot, Gather
    #[test]
    fn one_hot_rows_are_rows_of_the_unit_matrix(shape in shapes(1..=3), depth in 1i64..=5, seed in any::<u64>()) {
        let count: usize = shape.iter().product();
        let indices: Vec<i64> = (0..count as u64).map(|i| (seed.rotate_left(i as u32 % 64) % depth as u64) as i64).collect();
        let indices = list(&indices).reshaped(shape).unwrap();
        let square = run("ConstantOfShape", &[&list(&[depth, depth])]);
        let unit = run("EyeLike <dtype = 7>", &[&square]);
        let hot = run("OneHot", &[&indices, &Tensor::from_i64(depth), &list(&[0, 1])]);
        prop_assert_eq!(run("Gather", &[&unit, &indices]), hot);
    }

    /// Law: Range, Size, Shape
    #[test]
    fn a_range_has_as_many_elements_as_its_size(start in -20i64..=20, limit in -20i64..=20, delta in -4i64..=4) {
        prop_assume!(delta != 0);
        let [start_, limit_, delta_] = [start, limit, delta].map(Tensor::from_i64);
        let range = run("Range", &[&start_, &limit_, &delta_]);
        let expected: Vec<i64> = std::iter::successors(Some(start), |at| Some(at + delta))
            .take_while(|&at| if delta > 0 { at < limit } else { at > limit })
            .collect();
        prop_assert_eq!(&range, &list(&expected));
        prop_assert_eq!(run("Size", &[&range]), Tensor::from_i64(expected.len() as i64));
        prop_assert_eq!(run("Shape", &[&range]), list(&[expected.len() as i64]));
    }
}
