//! Recipes for MatMul and Gemm.

use crate::draw::Draw;
use crate::values::Values;

/// Returns values with meaningful sums of products.
fn values(draw: &mut Draw) -> Values {
    if draw.dtype("T").is_float() {
        let ways = [Values::Moderate, Values::Integers, Values::Between(-1.0, 1.0), Values::Finite, Values::Any];
        draw.choose(&ways)
    } else {
        draw.choose(&[Values::Between(-9.0, 9.0), Values::Between(-1000.0, 2000.0), Values::Any])
    }
}

/// Draws an extent. With this many options, the extents of a case mostly differ.
fn extent(draw: &mut Draw) -> usize {
    draw.choose(&[2, 3, 5, 4, 1, 7])
}

/// Draws the three extents of a matrix product; one of them is 0 now and then.
fn extents(draw: &mut Draw) -> [usize; 3] {
    let mut extents = [extent(draw), extent(draw), extent(draw)];
    if draw.once_in(14) {
        let at = draw.below(3);
        extents[at] = 0;
        draw.feature(if at == 1 { "empty sums" } else { "empty extent" });
    }
    draw.enlarge(&mut extents, 1);
    draw.costs(extents.iter().product());
    extents
}

pub fn mat_mul(draw: &mut Draw) {
    let [m, k, n] = extents(draw);
    let (mut a, mut b) = (vec![m, k], vec![k, n]);
    match draw.below(6) {
        0 => {}
        1 => {
            a = vec![k];
            draw.feature("a list on the left");
        }
        2 => {
            b = vec![k];
            draw.feature("a list on the right");
        }
        way => {
            // The last two dimensions are a matrix as above; the dimensions before them broadcast.
            let batches = draw.broadcastable(2, 1..=3);
            a = [&batches[0][..], &[m, k]].concat();
            b = [&batches[1][..], &[k, n]].concat();
            draw.feature("batches");
            if way == 5 {
                b = vec![k];
                draw.feature("batches and a list");
            }
        }
    }
    let values = values(draw);
    draw.tensor("A", &a, values);
    draw.tensor("B", &b, values);
}

pub fn mat_mul_rank_at_least_one(draw: &mut Draw) {
    let other = draw.full_shape(0..=2);
    let (a, b) = if draw.way(2) == 1 { (vec![], other) } else { (other, vec![]) };
    draw.tensor("A", &a, Values::Moderate);
    draw.tensor("B", &b, Values::Moderate);
}

pub fn mat_mul_inner_extents_equal(draw: &mut Draw) {
    let [m, k, n] = [extent(draw), extent(draw), extent(draw)];
    // An inner extent of 1 is wrong too, because inner extents do not broadcast.
    let other = if k == 1 { 2 } else { draw.way_of(&[k + 1, k - 1, 1]) };
    draw.tensor("A", &[m, k], Values::Moderate);
    draw.tensor("B", &[other, n], Values::Moderate);
}

pub fn mat_mul_batch_shapes_broadcast(draw: &mut Draw) {
    let [m, k, n] = [extent(draw), extent(draw), extent(draw)];
    let (a, b) = draw.unbroadcastable();
    draw.tensor("A", &[&a[..], &[m, k]].concat(), Values::Moderate);
    draw.tensor("B", &[&b[..], &[k, n]].concat(), Values::Moderate);
}

/// Gives a factor in some cases. Integer types mostly get a whole number.
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
    let [m, k, n] = extents(draw);
    let a = transposed(draw, "transA", [m, k]);
    let b = transposed(draw, "transB", [k, n]);
    let values = values(draw);
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

/// Gives C, if this version requires it, or in some cases if it is optional.
fn give_c(draw: &mut Draw, shape: &[usize]) {
    if draw.give_input("C") {
        draw.tensor("C", shape, Values::Moderate);
    }
}

pub fn gemm_rank_two(draw: &mut Draw) {
    let [m, k, n] = [extent(draw), extent(draw), extent(draw)];
    let (a, b) = match draw.way(3) {
        0 => (vec![k], vec![k, n]),
        1 => (vec![m, k], vec![k]),
        _ => (vec![1, m, k], vec![k, n]),
    };
    draw.tensor("A", &a, Values::Moderate);
    draw.tensor("B", &b, Values::Moderate);
    give_c(draw, &[m, n]);
}

pub fn gemm_inner_extents_equal(draw: &mut Draw) {
    let [m, k, n] = [extent(draw), extent(draw), extent(draw)];
    let other = if k == 1 { 2 } else { draw.way_of(&[k + 1, k - 1, 1]) };
    draw.tensor("A", &[m, k], Values::Moderate);
    draw.tensor("B", &[other, n], Values::Moderate);
    give_c(draw, &[m, n]);
}

pub fn gemm_c_broadcasts(draw: &mut Draw) {
    let [m, k, n] = [extent(draw), extent(draw), extent(draw)];
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
