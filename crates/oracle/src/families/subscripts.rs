//! The equations of Einsum: which index of which operand belongs to which index of the output. The rules named here are
//! Einsum's.

use crate::prelude::*;

/// One index of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Index {
    Letter(char),
    /// One of the dimensions that an ellipsis stands for, counted from the first of them.
    Ellipsis(usize),
}

/// An equation for operands of given shapes.
#[derive(Clone, Debug)]
pub struct Equation {
    /// The terms of the operands, with one index for each dimension.
    terms: Vec<Vec<Index>>,
    /// The indices of the output, then the indices that are summed over.
    indices: Vec<Index>,
    /// The extents of these indices.
    extents: Vec<usize>,
    /// The number of indices that the output has.
    pub rank: usize,
    /// Whether the specification leaves open what the equation means.
    pub open: bool,
    /// Whether an operand has extent 1 for an index that is summed over, and another operand does not.
    stretched_sum: bool,
}

/// A term as it is written: the letters before its ellipsis, and the letters behind it.
#[derive(Clone, Debug, Default)]
struct Written {
    before: Vec<char>,
    behind: Option<Vec<char>>,
}

impl Written {
    fn parse(text: &str) -> Result<Written, Refusal> {
        let text: String = text.chars().filter(|c| *c != ' ').collect();
        let letters = |part: &str| match part.chars().find(|c| !c.is_ascii_alphabetic()) {
            Some(other) => Err(Refusal::violates(
                rule::EQUATION_WELL_FORMED,
                format!("`{other}` is not an index, expected a letter"),
            )),
            None => Ok(part.chars().collect()),
        };
        match text.split_once("...") {
            Some((before, behind)) => Ok(Written { before: letters(before)?, behind: Some(letters(behind)?) }),
            None => Ok(Written { before: letters(&text)?, behind: None }),
        }
    }

    fn letters(&self) -> impl Iterator<Item = char> + '_ {
        self.before.iter().chain(self.behind.iter().flatten()).copied()
    }

    fn indices(&self, ellipsis: usize) -> Vec<Index> {
        let letter = |c: &char| Index::Letter(*c);
        let mut indices: Vec<Index> = self.before.iter().map(letter).collect();
        if let Some(behind) = &self.behind {
            indices.extend((0..ellipsis).map(Index::Ellipsis));
            indices.extend(behind.iter().map(letter));
        }
        indices
    }
}

impl Equation {
    /// Reads an equation for operands of these shapes. Checks the rules `equation-well-formed`, `terms-fit-ranks`,
    /// `output-term-valid`, `letter-extents-equal` and `ellipses-broadcast`.
    pub fn parse(text: &str, shapes: &[&[usize]]) -> Result<Equation, Refusal> {
        let mut sides = text.split("->");
        let (left, right) = (sides.next().unwrap_or(""), sides.next());
        if sides.next().is_some() {
            return Err(Refusal::violates(rule::EQUATION_WELL_FORMED, "the equation has more than one arrow"));
        }
        let terms = left.split(',').map(Written::parse).collect::<Result<Vec<_>, _>>()?;
        if terms.len() != shapes.len() {
            return Err(Refusal::violates(
                rule::EQUATION_WELL_FORMED,
                format!("the equation has {} terms, expected one for each of {} inputs", terms.len(), shapes.len()),
            ));
        }
        let ellipsis = ellipsis_rank(&terms, shapes)?;
        let output = match right {
            Some(text) => Written::parse(text).map_err(|r| Refusal::violates(rule::OUTPUT_TERM_VALID, r.message))?,
            None => implicit(&terms),
        };
        for (i, letter) in output.letters().enumerate() {
            let known = terms.iter().any(|t| t.letters().any(|c| c == letter));
            if !known || output.letters().take(i).any(|c| c == letter) {
                return Err(Refusal::violates(
                    rule::OUTPUT_TERM_VALID,
                    format!("`{letter}` is twice in the output term, or in no term of an input"),
                ));
            }
        }
        let expanded: Vec<Vec<Index>> = terms.iter().map(|t| t.indices(ellipsis)).collect();
        let mut indices = output.indices(ellipsis);
        let rank = indices.len();
        for index in expanded.iter().flatten() {
            if !indices.contains(index) {
                indices.push(*index);
            }
        }
        let mut equation = Equation {
            terms: expanded,
            extents: vec![1; indices.len()],
            indices,
            rank,
            open: false,
            stretched_sum: false,
        };
        equation.open = ellipsis > 0 && output.behind.is_none();
        equation.measure(shapes)?;
        shape::affordable(&equation.extents)?;
        Ok(equation)
    }

    /// Finds the extent of each index. All dimensions that an index stands for have this extent, or 1, which
    /// broadcasts. For letters, the specification does not say that 1 broadcasts (`size-one-broadcast`).
    fn measure(&mut self, shapes: &[&[usize]]) -> Result<(), Refusal> {
        for (term, shape) in self.terms.iter().zip(shapes) {
            for (index, &extent) in term.iter().zip(*shape) {
                let Some(at) = self.indices.iter().position(|i| i == index) else { continue };
                let known = &mut self.extents[at];
                if *known == 1 {
                    *known = extent;
                } else if extent != 1 && extent != *known {
                    let label = if matches!(index, Index::Letter(_)) {
                        rule::LETTER_EXTENTS_EQUAL
                    } else {
                        rule::ELLIPSES_BROADCAST
                    };
                    return Err(Refusal::violates(label, format!("an index has the extents {known} and {extent}")));
                }
            }
        }
        let stretched = |(term, shape): (&Vec<Index>, &&[usize])| {
            term.iter().zip(*shape).any(|(index, &extent)| {
                let at = self.indices.iter().position(|i| i == index);
                matches!(index, Index::Letter(_)) && at.is_some_and(|at| self.extents[at] != extent)
            })
        };
        self.open |= self.terms.iter().zip(shapes).any(stretched);
        self.stretched_sum = self.terms.iter().zip(shapes).any(|(term, shape)| {
            term.iter().zip(*shape).any(|(index, &extent)| {
                let at = self.indices.iter().position(|i| i == index);
                at.is_some_and(|at| at >= self.rank && self.extents[at] != extent)
            })
        });
        Ok(())
    }

    /// Returns the extents of the output.
    pub fn output(&self) -> &[usize] {
        &self.extents[..self.rank]
    }

    /// Returns the extents of the indices that are summed over.
    pub fn summed_extents(&self) -> Vec<usize> {
        self.extents[self.rank..].to_vec()
    }

    /// Returns a step for each index: the distance between two elements of operand `k` if their positions differ by one
    /// in this index. The indices of the output come first, then those that are summed over. A letter that occurs twice
    /// in a term moves along the diagonal.
    pub fn steps(&self, k: usize, shape: &[usize]) -> Vec<usize> {
        let strides = shape::strides(shape);
        let step = |index: &Index| {
            let places = self.terms[k].iter().enumerate().filter(|(d, i)| *i == index && shape[*d] != 1);
            places.map(|(d, _)| strides[d]).sum()
        };
        self.indices.iter().map(step).collect()
    }

    /// Returns whether an element of the output is one sum, without intermediate results: a sum of elements of one
    /// operand, or of products of elements of two operands that both have all indices that are summed over, without
    /// broadcasting.
    pub fn is_one_step(&self) -> bool {
        let summed = &self.indices[self.rank..];
        match &self.terms[..] {
            [_] => true,
            [a, b] => !self.stretched_sum && summed.iter().all(|i| a.contains(i) && b.contains(i)),
            _ => false,
        }
    }
}

/// Returns the number of dimensions that an ellipsis stands for. It is the same in each term that has an ellipsis.
fn ellipsis_rank(terms: &[Written], shapes: &[&[usize]]) -> Result<usize, Refusal> {
    let mut ellipsis = None;
    for (term, shape) in terms.iter().zip(shapes) {
        let letters = term.letters().count();
        let fits = if term.behind.is_some() { letters <= shape.len() } else { letters == shape.len() };
        if !fits {
            return Err(Refusal::violates(
                rule::TERMS_FIT_RANKS,
                format!("a term has {letters} letters, which do not fit shape {shape:?}"),
            ));
        }
        if term.behind.is_none() {
            continue;
        }
        let rank = shape.len() - letters;
        match ellipsis {
            Some(before) if before != rank => {
                return Err(Refusal::violates(
                    rule::ELLIPSES_BROADCAST,
                    format!("one ellipsis stands for {before} axes, another for {rank}"),
                ));
            }
            _ => ellipsis = Some(rank),
        }
    }
    Ok(ellipsis.unwrap_or(0))
}

/// Returns the output term if none is written: the dimensions of the ellipsis, and the letters that occur once, in the
/// order of ASCII.
fn implicit(terms: &[Written]) -> Written {
    let all: Vec<char> = terms.iter().flat_map(Written::letters).collect();
    let mut once: Vec<char> = all.iter().copied().filter(|c| all.iter().filter(|o| *o == c).count() == 1).collect();
    once.sort_unstable();
    match terms.iter().any(|t| t.behind.is_some()) {
        true => Written { before: vec![], behind: Some(once) },
        false => Written { before: once, behind: None },
    }
}
