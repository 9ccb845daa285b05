//! Draws up to five columns with their labels, as a matrix or, for one row, as a list.

use plumbline_spec::TypeStr;

use crate::prelude::*;

/// Gives `count` labels of the type of the output's keys.
fn labels(draw: &mut Draw, count: usize) {
    let strings = matches!(draw.type_of("T"), TypeStr::Sequence(map) if matches!(*map, TypeStr::Map(DType::String, _)));
    if strings {
        let labels = ["b", "a", "é", "", "c c"].iter().take(count).map(|s| s.as_bytes().to_vec());
        draw.strings_attribute("classlabels_strings", &labels.collect::<Vec<_>>());
    } else {
        let labels = draw.choose(&[[7, -1, 3, i64::MAX, 0], [i64::MIN, 2, i64::MAX, -3, 4]]);
        draw.ints_attribute("classlabels_int64s", &labels[..count]);
    }
}

pub fn zip_map(draw: &mut Draw) {
    let columns = draw.choose(&[2, 1, 3, 5]);
    let rows = draw.choose(&[1, 2, 3]);
    let rows = draw.extent(rows, columns);
    let rows = if draw.once_in(16) { 0 } else { rows };
    if rows == 0 {
        draw.feature("no rows");
    }
    labels(draw, columns);
    if rows == 1 && draw.flag() {
        draw.feature("list");
        draw.tensor("X", &[columns], Values::Any);
    } else {
        draw.tensor("X", &[rows, columns], Values::Any);
    }
}

pub fn rank_one_or_two(draw: &mut Draw) {
    labels(draw, 2);
    let shape = draw.way_of(&[vec![1, 2, 2], vec![]]);
    draw.tensor("X", &shape, Values::Any);
}

pub fn one_label_list_given(draw: &mut Draw) {
    draw.tensor("X", &[2, 2], Values::Any);
    if draw.way(2) == 1 {
        draw.ints_attribute("classlabels_int64s", &[1, 2]);
        draw.strings_attribute("classlabels_strings", &[b"a".to_vec(), b"b".to_vec()]);
    }
}

pub fn labels_fit_columns(draw: &mut Draw) {
    let columns = draw.way_of(&[3, 5]);
    draw.tensor("X", &[2, columns], Values::Any);
    labels(draw, 4);
}
