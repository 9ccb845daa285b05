//! Draws both matrices transposed or not, a C that broadcasts in each way, and values of `alpha` and `beta`, zero among
//! them.

use crate::families::matrix_product;
use crate::prelude::*;

/// Gives `alpha` or `beta` in some cases. Integer types mostly get a whole number.
fn factor(draw: &mut Draw, name: &str) {
    if !draw.give_attribute(name) {
        return;
    }
    let value = if draw.dtype("T").is_float() || draw.once_in(6) {
        draw.choose(&[0.5, 2.0, -1.0, 0.3, 1.7, 0.0])
    } else {
        draw.choose(&[2.0, 1.0, -1.0, 3.0, 0.0])
    };
    if value == 0.0 {
        draw.feature("a factor of zero");
    }
    draw.float_attribute(name, value);
}

fn transposed(draw: &mut Draw, name: &str, shape: [usize; 2]) -> Vec<usize> {
    if draw.give_attribute(name) {
        let value = draw.range(0..=1);
        draw.int_attribute(name, value);
        if value != 0 {
            draw.feature("transposed");
            return vec![shape[1], shape[0]];
        }
    }
    shape.to_vec()
}

pub fn gemm(draw: &mut Draw) {
    let [m, k, n] = matrix_product::extents(draw);
    let a = transposed(draw, "transA", [m, k]);
    let b = transposed(draw, "transB", [k, n]);
    let values = matrix_product::values(draw);
    draw.tensor("A", &a, values);
    draw.tensor("B", &b, values);
    let broadcasts = if draw.has_attribute("broadcast") {
        let given = draw.give_attribute("broadcast");
        let value = if given { draw.range(0..=1) } else { 0 };
        if given {
            draw.int_attribute("broadcast", value);
        }
        value == 1
    } else {
        true
    };
    if draw.give_input("C") {
        let c = match (broadcasts, draw.below(6)) {
            (false, _) | (_, 0) => vec![m, n],
            (_, 1) => vec![n],
            (_, 2) => vec![1, n],
            (_, 3) => vec![m, 1],
            (_, 4) => vec![1],
            _ => vec![],
        };
        if c != [m, n] {
            draw.feature("C broadcasts");
        }
        draw.tensor("C", &c, values);
    }
    factor(draw, "alpha");
    factor(draw, "beta");
}

/// Gives C: always if this version requires it, and in some cases if it is optional.
fn give_c(draw: &mut Draw, shape: &[usize]) {
    if draw.give_input("C") {
        draw.tensor("C", shape, Values::Moderate);
    }
}

pub fn rank_two(draw: &mut Draw) {
    let [m, k, n] = [matrix_product::extent(draw), matrix_product::extent(draw), matrix_product::extent(draw)];
    let (a, b) = match draw.way(3) {
        0 => (vec![k], vec![k, n]),
        1 => (vec![m, k], vec![k]),
        _ => (vec![1, m, k], vec![k, n]),
    };
    draw.tensor("A", &a, Values::Moderate);
    draw.tensor("B", &b, Values::Moderate);
    give_c(draw, &[m, n]);
}

pub fn inner_extents_equal(draw: &mut Draw) {
    let [m, k, n] = [matrix_product::extent(draw), matrix_product::extent(draw), matrix_product::extent(draw)];
    let other = if k == 1 { 2 } else { draw.way_of(&[k + 1, k - 1, 1]) };
    draw.tensor("A", &[m, k], Values::Moderate);
    draw.tensor("B", &[other, n], Values::Moderate);
    give_c(draw, &[m, n]);
}

pub fn c_broadcasts(draw: &mut Draw) {
    let [m, k, n] = [matrix_product::extent(draw), matrix_product::extent(draw), matrix_product::extent(draw)];
    draw.tensor("A", &[m, k], Values::Moderate);
    draw.tensor("B", &[k, n], Values::Moderate);
    let c = match draw.way(5) {
        0 => vec![m, n + 1],
        1 => vec![1, m, n],
        2 => vec![m + 1, n],
        3 => vec![m, if n > 2 { n - 1 } else { n + 1 }],
        _ => vec![if m > 2 { m - 1 } else { m + 1 }, n],
    };
    draw.tensor("C", &c, Values::Moderate);
}
