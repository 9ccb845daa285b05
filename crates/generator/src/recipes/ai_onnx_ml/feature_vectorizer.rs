//! Draws one to three matrices that may differ in the number of columns. If the matrices have a single row, some of
//! them are lists (tensors of rank 1).

use crate::prelude::*;

pub fn feature_vectorizer(draw: &mut Draw) {
    let examples = draw.choose(&[1, 2, 3, 0]);
    if examples == 0 {
        draw.feature("no example");
    }
    let examples = if examples == 0 { 0 } else { draw.extent(examples, 8) };
    let count = draw.choose(&[1, 2, 3]);
    let values = draw.choose(&[Values::Moderate, Values::Any]);
    let mut widths = Vec::new();
    for _ in 0..count {
        let width = draw.choose(&[1, 2, 3, 5]);
        let width = draw.extent(width, 3 * examples);
        widths.push(width as i64);
        let list = examples == 1 && draw.flag();
        if list {
            draw.feature("list");
        }
        let shape = if list { vec![width] } else { vec![examples, width] };
        draw.tensor("X", &shape, values);
    }
    if draw.give_attribute("inputdimensions") {
        draw.ints_attribute("inputdimensions", &widths);
    }
}

pub fn rank_one_or_two(draw: &mut Draw) {
    let shape = draw.way_of(&[vec![], vec![1, 2, 3]]);
    draw.tensor("X", &shape, Values::Moderate);
}

pub fn first_extents_equal(draw: &mut Draw) {
    draw.tensor("X", &[2, 3], Values::Moderate);
    let shape = draw.way_of(&[vec![3, 3], vec![3], vec![1, 2]]);
    draw.tensor("X", &shape, Values::Moderate);
    draw.ints_attribute("inputdimensions", &[3, shape[shape.len() - 1] as i64]);
}

pub fn inputdimensions_fit(draw: &mut Draw) {
    draw.tensor("X", &[2, 3], Values::Moderate);
    draw.tensor("X", &[2, 1], Values::Moderate);
    let sizes = draw.way_of(&[vec![3], vec![3, 2], vec![3, 0], vec![3, 1, 1], vec![2, 1], vec![4, 1]]);
    draw.ints_attribute("inputdimensions", &sizes);
}
