//! An implementation that computes in the arithmetic of this machine: every step is rounded to a type.
//!
//! Nothing here uses the oracle's arithmetic. Numbers are held as float64, which holds every number of the other types.

use std::cell::RefCell;

use half::{bf16, f16};
use plumbline_oracle::accuracy_bound;
use plumbline_tensor::DType;

/// The order in which an implementation adds the terms of a sum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    Forward,
    Reversed,
    Pairwise,
    /// This many partial sums side by side, as vector instructions have them.
    Lanes(usize),
}

/// A mistake that the oracle has to notice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mistake {
    /// Double is computed in float.
    DoubleInFloat,
    /// The epsilon of a normalization or an optimizer is 1 % too large.
    Epsilon,
    /// The factors of a formula that attributes or inputs of one element give are 1 % too large.
    Scale,
}

/// How an implementation computes.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The type of the elements.
    pub elements: DType,
    /// The type to which every step is rounded.
    pub steps: DType,
    /// The type to which constants and attributes are rounded.
    pub constants: DType,
    /// Whether a sum that is kept in a wider type goes into the next step without being rounded.
    pub keeps_sums: bool,
    /// Whether sums of 16-bit floats are kept in their type, and not in float.
    pub sums_in_type: bool,
    /// The order of the terms of a sum.
    pub order: Order,
    /// Whether a product and the addition after it are rounded once.
    pub fused: bool,
    /// Whether functions are off by one unit in the last place where the table of accuracy allows it.
    pub astray: bool,
    /// The mistake of this implementation, if it is not a correct one.
    pub mistake: Option<Mistake>,
    table: String,
    rng: RefCell<fastrand::Rng>,
}

/// Returns the nearest number of a type.
pub fn rounded(dtype: DType, x: f64) -> f64 {
    match dtype {
        DType::Double => x,
        DType::Float => f64::from(x as f32),
        DType::Float16 => f16::from_f32(x as f32).to_f64(),
        DType::Bfloat16 => bf16::from_f32(x as f32).to_f64(),
        other => panic!("no arithmetic in {other}"),
    }
}

/// Returns the next number of a type, upwards or downwards, for a finite number other than zero.
fn neighbour(dtype: DType, x: f64, up: bool) -> f64 {
    let grows = up == (x > 0.0);
    let moved = |bits: u16| if grows { bits + 1 } else { bits - 1 };
    match (dtype, up) {
        (DType::Float16, _) => f16::from_bits(moved(f16::from_f64(x).to_bits())).to_f64(),
        (DType::Bfloat16, _) => bf16::from_bits(moved(bf16::from_f64(x).to_bits())).to_f64(),
        (DType::Float, true) => f64::from((x as f32).next_up()),
        (DType::Float, false) => f64::from((x as f32).next_down()),
        (_, true) => x.next_up(),
        (_, false) => x.next_down(),
    }
}

impl Machine {
    /// Returns the ways to compute elements of a type, each with every order of sums if `sums` says so, with and
    /// without fused steps, and with functions that are rounded correctly and that are off by one unit. `table` names
    /// the table of the largest errors of functions. `sums_in_type` says that sums of 16-bit floats are kept in their
    /// type.
    pub fn all(elements: DType, table: &str, sums: bool, sums_in_type: bool) -> Vec<Machine> {
        use DType::Float;
        let ways = match elements {
            DType::Float | DType::Double => vec![(elements, elements, false)],
            narrow if sums_in_type => vec![(narrow, narrow, false)],
            narrow => {
                vec![(narrow, narrow, false), (narrow, narrow, true), (Float, Float, true), (Float, narrow, true)]
            }
        };
        let every = [Order::Forward, Order::Reversed, Order::Pairwise, Order::Lanes(4), Order::Lanes(8)];
        let orders = if sums { &every[..] } else { &every[..1] };
        let mut machines = Vec::new();
        for (steps, constants, keeps_sums) in ways {
            for &order in orders {
                for (fused, astray) in [(false, false), (true, false), (false, true), (true, true)] {
                    let rng = RefCell::new(fastrand::Rng::with_seed(7));
                    let (table, mistake) = (table.to_owned(), None);
                    machines.push(Machine {
                        elements,
                        steps,
                        constants,
                        keeps_sums,
                        sums_in_type,
                        order,
                        fused,
                        astray,
                        mistake,
                        table,
                        rng,
                    });
                }
            }
        }
        machines
    }

    /// Returns the implementation that is like this one but for a mistake; `None` if it cannot make it.
    pub fn with_mistake(&self, mistake: Mistake) -> Option<Machine> {
        let machine = Machine { mistake: Some(mistake), ..self.clone() };
        match (mistake, self.elements) {
            (Mistake::DoubleInFloat, DType::Double) => {
                Some(Machine { steps: DType::Float, constants: DType::Float, ..machine })
            }
            (Mistake::DoubleInFloat, _) => None,
            _ => Some(machine),
        }
    }

    /// Returns the same implementation for a part of the formula whose steps have another type.
    pub fn in_steps(&self, steps: DType) -> Machine {
        Machine { steps, constants: steps, ..self.clone() }
    }

    /// Returns the same implementation in the type in which it keeps sums.
    pub fn wide(&self) -> Machine {
        match self.steps {
            DType::Float16 | DType::Bfloat16 if !self.sums_in_type => self.in_steps(DType::Float),
            _ => self.clone(),
        }
    }

    /// Returns the same implementation in float, or in double if that is the type of its steps.
    pub fn in_float_at_least(&self) -> Machine {
        if self.steps == DType::Double { self.clone() } else { self.in_steps(DType::Float) }
    }

    /// Reads an element of an input.
    pub fn read(&self, x: f64) -> f64 {
        if self.elements == DType::Double { rounded(self.steps, x) } else { x }
    }

    /// Rounds a number to the type of the steps.
    pub fn round(&self, x: f64) -> f64 {
        rounded(self.steps, x)
    }

    /// Returns a FLOAT attribute that is a factor of the formula.
    pub fn attribute(&self, x: f32) -> f64 {
        let off = if self.mistake == Some(Mistake::Scale) { 1.01 } else { 1.0 };
        rounded(self.constants, f64::from(x) * off)
    }

    /// Returns a FLOAT attribute that is added so that nothing is divided by zero.
    pub fn epsilon(&self, x: f32) -> f64 {
        let off = if self.mistake == Some(Mistake::Epsilon) { 1.01 } else { 1.0 };
        rounded(self.constants, f64::from(x) * off)
    }

    /// Returns a constant of the formula.
    pub fn constant(&self, x: f64) -> f64 {
        rounded(self.constants, x)
    }

    fn step(&self, single: f32, double: f64) -> f64 {
        if self.steps == DType::Double { double } else { rounded(self.steps, f64::from(single)) }
    }

    pub fn add(&self, a: f64, b: f64) -> f64 {
        self.step(a as f32 + b as f32, a + b)
    }

    pub fn sub(&self, a: f64, b: f64) -> f64 {
        self.add(a, -b)
    }

    pub fn mul(&self, a: f64, b: f64) -> f64 {
        self.step(a as f32 * b as f32, a * b)
    }

    pub fn div(&self, a: f64, b: f64) -> f64 {
        self.step(a as f32 / b as f32, a / b)
    }

    pub fn sqrt(&self, a: f64) -> f64 {
        self.step((a as f32).sqrt(), a.sqrt())
    }

    /// Computes `a * b + c`, with one rounding or with two.
    pub fn multiply_add(&self, a: f64, b: f64, c: f64) -> f64 {
        if self.fused {
            return self.step((a as f32).mul_add(b as f32, c as f32), a.mul_add(b, c));
        }
        self.add(self.mul(a, b), c)
    }

    /// Computes `1 / x`.
    pub fn reciprocal(&self, x: f64) -> f64 {
        self.div(1.0, x)
    }

    /// Rounds `y`, the value of a function in float64, to the type of the steps. Ends of the ranges of functions, and
    /// values that every implementation has (`e^0`), stay as they are. So do other powers of two, where the distance of
    /// the neighbours depends on the side.
    fn function(&self, name: &str, y: f64) -> f64 {
        let nearest = self.round(y);
        let special = nearest == 0.0 || libm::frexp(nearest).0.abs() == 0.5 || !nearest.is_finite();
        let allowed = accuracy_bound(&self.table, name, self.steps).unwrap() >= 1.5;
        match self.rng.borrow_mut().u8(..3) {
            by @ 0..2 if self.astray && allowed && !special => neighbour(self.steps, nearest, by == 0),
            _ => nearest,
        }
    }

    pub fn exp(&self, x: f64) -> f64 {
        self.function("exp", libm::exp(x))
    }

    pub fn expm1(&self, x: f64) -> f64 {
        self.function("expm1", libm::expm1(x))
    }

    pub fn log(&self, x: f64) -> f64 {
        self.function("log", libm::log(x))
    }

    pub fn log1p(&self, x: f64) -> f64 {
        self.function("log1p", libm::log1p(x))
    }

    pub fn tanh(&self, x: f64) -> f64 {
        self.function("tanh", libm::tanh(x))
    }

    pub fn erf(&self, x: f64) -> f64 {
        self.function("erf", libm::erf(x))
    }

    pub fn erfc(&self, x: f64) -> f64 {
        self.function("erfc", libm::erfc(x))
    }

    pub fn pow(&self, x: f64, y: f64) -> f64 {
        self.function("pow", libm::pow(x, y))
    }

    /// Returns the sum of `start` and of the products of two rows, in the order of this implementation. 16-bit floats
    /// are added in float, which holds their products exactly.
    pub fn dot_from(&self, start: f64, a: &[f64], b: &[f64]) -> f64 {
        let sum = self.kept_dot(start, a, b);
        if self.keeps_sums { sum } else { self.round(sum) }
    }

    /// Returns the same sum in the type in which it is kept.
    pub fn kept_dot(&self, start: f64, a: &[f64], b: &[f64]) -> f64 {
        let wide = self.wide();
        let along = |first: f64, indices: &mut dyn Iterator<Item = usize>| {
            indices.fold(first, |sum, i| wide.multiply_add(a[i], b[i], sum))
        };
        match self.order {
            Order::Forward => along(start, &mut (0..a.len())),
            Order::Reversed => wide.add(along(0.0, &mut (0..a.len()).rev()), start),
            Order::Pairwise => wide.add(wide.pairwise(a, b), start),
            Order::Lanes(count) => {
                let lane = |lane: usize| along(0.0, &mut (lane..a.len()).step_by(count));
                wide.add((0..count).map(lane).fold(0.0, |sum, x| wide.add(sum, x)), start)
            }
        }
    }

    fn pairwise(&self, a: &[f64], b: &[f64]) -> f64 {
        match a.len() {
            0 => 0.0,
            1 => self.mul(a[0], b[0]),
            2 => self.multiply_add(a[1], b[1], self.mul(a[0], b[0])),
            count => {
                let ((a, more_a), (b, more_b)) = (a.split_at(count / 2), b.split_at(count / 2));
                self.add(self.pairwise(a, b), self.pairwise(more_a, more_b))
            }
        }
    }

    /// Returns the sum of the products of two rows.
    pub fn dot(&self, a: &[f64], b: &[f64]) -> f64 {
        self.dot_from(0.0, a, b)
    }

    /// Returns the sum of a row.
    pub fn total(&self, x: &[f64]) -> f64 {
        self.dot(x, &vec![1.0; x.len()])
    }

    /// Returns the mean of a row: the sum as it is kept, divided by the number of elements.
    pub fn mean(&self, x: &[f64]) -> f64 {
        self.mean_of_products(x, &vec![1.0; x.len()])
    }

    /// Returns the mean of the products of two rows.
    pub fn mean_of_products(&self, a: &[f64], b: &[f64]) -> f64 {
        self.round(self.wide().div(self.kept_dot(0.0, a, b), a.len() as f64))
    }
}
