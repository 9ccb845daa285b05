//! Draws equations of one to three terms, with repeated letters, ellipses, spaces, and an output that is written or
//! not.

use crate::draw::large::MOST_SINGLE_PRODUCTS;
use crate::families::matrix_product;
use crate::prelude::*;

/// Letters with their extents. Some letters are upper-case, because these come before the lower-case ones in an output
/// that the equation does not write.
const LETTERS: [(char, usize); 7] = [('i', 2), ('j', 3), ('k', 4), ('B', 2), ('a', 1), ('Z', 3), ('x', 2)];

/// The largest extent of a letter that may occur twice in a term.
const LONGEST_DIAGONAL: usize = 16;

fn values(draw: &mut Draw) -> Values {
    if draw.dtype("T").is_float() {
        let ways = [Values::Integers, Values::Moderate, Values::Between(-1.0, 1.0), Values::Finite, Values::Any];
        draw.choose(&ways)
    } else {
        draw.choose(&[Values::Between(-9.0, 9.0), Values::Integers, Values::Any])
    }
}

/// Draws the letters of one term, each with its extent.
fn term(draw: &mut Draw, known: &[(char, usize)]) -> Vec<(char, usize)> {
    let rank = draw.choose(&[2, 1, 3, 0]);
    let mut letters: Vec<(char, usize)> = Vec::new();
    for _ in 0..rank {
        let letter = draw.choose(known);
        if letters.contains(&letter) {
            // A letter that occurs twice needs the elements of the whole square, not only of its diagonal.
            if letter.1 > LONGEST_DIAGONAL {
                continue;
            }
            draw.feature("a letter twice in a term");
        }
        letters.push(letter);
    }
    letters
}

fn space(draw: &mut Draw) -> &'static str {
    if draw.once_in(8) {
        draw.feature("spaces");
        return " ";
    }
    ""
}

/// Gives an equation that is a product of matrices, with large extents.
fn product(draw: &mut Draw) {
    const EQUATIONS: [(&str, [&str; 2]); 6] = [
        ("ij,jk->ik", ["ij", "jk"]),
        ("ij,kj->ik", ["ij", "kj"]),
        ("ji,jk->ki", ["ji", "jk"]),
        ("bij,bjk->bik", ["bij", "bjk"]),
        ("ibj,kbj->bik", ["ibj", "kbj"]),
        ("ij,jk", ["ij", "jk"]),
    ];
    let (equation, terms) = draw.choose(&EQUATIONS);
    let [i, j, k] = matrix_product::large_extents(draw, MOST_SINGLE_PRODUCTS);
    let batches = draw.choose(&[2, 1, 3]);
    draw.string_attribute("equation", equation);
    let values = matrix_product::values(draw);
    for term in terms {
        let extent = |letter| match letter {
            'i' => i,
            'j' => j,
            'k' => k,
            _ => batches,
        };
        let shape: Vec<usize> = term.chars().map(extent).collect();
        draw.tensor("Inputs", &shape, values);
    }
}

pub fn einsum(draw: &mut Draw) {
    if draw.is_large() {
        return product(draw);
    }
    let operands = draw.choose(&[2, 1, 2, 3]);
    let known = draw.range(3..=LETTERS.len() as i64) as usize;
    let mut letters = LETTERS;
    if draw.may_be_larger() {
        let at = draw.below(known);
        let others = letters[..known].iter().map(|(_, extent)| extent).product::<usize>() / letters[at].1;
        letters[at].1 = draw.extent(letters[at].1, others);
        draw.limit_extents(7);
    }
    let ellipsis = draw.below(3) == 2;
    let mut batches = if ellipsis { draw.broadcastable(operands, 0..=2) } else { vec![vec![]; operands] };
    batches.iter_mut().flatten().for_each(|extent| *extent = (*extent).min(3));
    // All ellipses stand for the same number of dimensions.
    let rank = batches.iter().map(Vec::len).max().unwrap_or(0);
    let mut used: Vec<char> = Vec::new();
    let mut texts = Vec::new();
    let mut shapes = Vec::new();
    for (k, batch) in batches.iter().enumerate().take(operands) {
        let letters = term(draw, &letters[..known]);
        used.extend(letters.iter().map(|(c, _)| *c));
        let mut text: Vec<String> = letters.iter().map(|(c, _)| c.to_string()).collect();
        let mut shape: Vec<usize> = letters.iter().map(|(_, e)| *e).collect();
        // If any operand has an ellipsis in its term, the first operand has one.
        if ellipsis && (k == 0 || !draw.once_in(4)) {
            let at = draw.below(text.len() + 1);
            text.insert(at, "...".to_owned());
            let mut extents = vec![1; rank - batch.len()];
            extents.extend(batch);
            shape.splice(at..at, extents);
            draw.feature(if rank == 0 { "an ellipsis of nothing" } else { "an ellipsis" });
        }
        let gap = space(draw);
        texts.push(text.join(gap));
        shapes.push(shape);
    }
    let comma = format!("{}, ", space(draw));
    let mut equation = texts.join(comma.trim_end_matches(if draw.flag() { " " } else { "" }));
    if draw.below(3) > 0 {
        used.sort_unstable();
        used.dedup();
        let mut output = Vec::new();
        while !used.is_empty() && !draw.once_in(4) {
            let at = draw.below(used.len());
            output.push(used.remove(at).to_string());
        }
        if ellipsis || draw.once_in(12) {
            if !ellipsis {
                draw.feature("an ellipsis of the output alone");
            }
            let at = draw.below(output.len() + 1);
            output.insert(at, "...".to_owned());
        }
        if output.is_empty() {
            draw.feature("a sum of everything");
        }
        equation = format!("{equation}{}->{}{}", space(draw), space(draw), output.concat());
    } else {
        draw.feature("no output written");
    }
    draw.string_attribute("equation", &equation);
    let values = values(draw);
    for shape in shapes {
        draw.tensor("Inputs", &shape, values);
    }
}

fn equation_and_inputs(draw: &mut Draw, equation: &str, shapes: &[&[usize]]) {
    draw.string_attribute("equation", equation);
    for shape in shapes {
        draw.tensor("Inputs", shape, Values::Integers);
    }
}

/// Gives an equation with a digit, with a broken ellipsis or arrow, with two arrows, or with too many or too few terms.
pub fn equation_well_formed(draw: &mut Draw) {
    let (a, b): (&[usize], &[usize]) = (&[2, 3], &[3, 2]);
    match draw.way(6) {
        0 => equation_and_inputs(draw, "ij->i->j", &[a]),
        1 => equation_and_inputs(draw, "i1->i", &[a]),
        2 => equation_and_inputs(draw, "ij,jk,k->i", &[a, b]),
        3 => equation_and_inputs(draw, "ij->i", &[a, b]),
        4 => equation_and_inputs(draw, "i..j->ij", &[a]),
        _ => equation_and_inputs(draw, "ij>j", &[a]),
    }
}

/// Gives a term that does not fit the rank of its operand.
pub fn terms_fit_ranks(draw: &mut Draw) {
    match draw.way(5) {
        3 => equation_and_inputs(draw, "i->i", &[&[2, 3]]),
        4 => equation_and_inputs(draw, "ij,ij->j", &[&[2, 3], &[3]]),
        0 => equation_and_inputs(draw, "ijk->i", &[&[2, 3]]),
        1 => equation_and_inputs(draw, "i,ij->j", &[&[2, 3], &[2, 3]]),
        _ => equation_and_inputs(draw, "...ijk->i...", &[&[2, 3]]),
    }
}

/// Gives one letter for different extents.
pub fn letter_extents_equal(draw: &mut Draw) {
    match draw.way(6) {
        3 => equation_and_inputs(draw, "ij,jk->ik", &[&[2, 3], &[4, 2]]),
        4 => equation_and_inputs(draw, "ij,kj->ik", &[&[2, 4], &[2, 3]]),
        5 => equation_and_inputs(draw, "iji->j", &[&[2, 4, 3]]),
        0 => equation_and_inputs(draw, "ij,jk->ik", &[&[2, 3], &[2, 4]]),
        1 => equation_and_inputs(draw, "ii->i", &[&[2, 3]]),
        _ => equation_and_inputs(draw, "i,i", &[&[5], &[4]]),
    }
}

/// Gives an output with a letter that no term has, or with a letter or the ellipsis twice.
pub fn output_term_valid(draw: &mut Draw) {
    match draw.way(4) {
        3 => equation_and_inputs(draw, "...ij->...i...", &[&[2, 3]]),
        0 => equation_and_inputs(draw, "ij->ik", &[&[2, 3]]),
        1 => equation_and_inputs(draw, "ij->iij", &[&[2, 3]]),
        _ => equation_and_inputs(draw, "ij->Ij", &[&[2, 3]]),
    }
}

/// Gives ellipses that stand for different numbers of dimensions, or for extents that do not broadcast.
pub fn ellipses_broadcast(draw: &mut Draw) {
    match draw.way(3) {
        2 => equation_and_inputs(draw, "...i,...i->...", &[&[3, 4], &[2, 4]]),
        0 => equation_and_inputs(draw, "...i,...i->...", &[&[2, 3, 4], &[3, 4]]),
        _ => equation_and_inputs(draw, "...i,...j->...ij", &[&[2, 3, 4], &[2, 2, 4]]),
    }
}
