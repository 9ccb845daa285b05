//! Exercises every cell of every operator's support table. Here, a cell is a tensor of an operator at a feature level,
//! with an element type and a number of dimensions; the table allows or forbids it. Descriptions that a cell allows run
//! on the software device with random contents, in three layouts: packed, with gaps, and with strides of 0 that repeat
//! elements. The results are compared with the operator's documentation, which is evaluated here in float64, element by
//! element. The device must refuse descriptions that a cell forbids, and name the field.

mod activation;
mod attention;
mod draft;
mod element_wise;
mod indexing;
mod machine;
mod making;
mod matrix;
mod movement;
mod normalization;
mod recurrent;
mod reduction;
mod regions;
mod sample;
mod training;
mod window;
mod written;

use draft::Draft;
use machine::{Layout, run};
use plumbline_directml::minimal::{Block, blocks};
use plumbline_directml::software::{Device, DeviceError, SoftwareDevice};
use plumbline_directml::{FieldValue, TensorDescription};
use plumbline_spec::directml::{DirectMl, FieldType, SupportRow, TensorDataType};
use std::collections::BTreeSet;

/// The elements of a tensor in row-major order.
#[derive(Clone, Debug, PartialEq)]
pub struct Plain {
    pub sizes: Vec<usize>,
    pub data: Vec<f64>,
}

/// Marks an expected element in whose place any value is accepted.
pub const ANY: f64 = f64::from_bits(0x7ff8_dead_0000_0000);

impl Plain {
    /// Returns the element at an index; dimensions of size 1 are broadcast.
    pub fn at(&self, index: &[usize]) -> f64 {
        let index = index.iter().zip(&self.sizes).map(|(&i, &size)| if size == 1 { 0 } else { i });
        self.data[index.zip(&self.sizes).fold(0, |at, (i, size)| at * size + i)]
    }
}

/// Returns every index below these sizes, in row-major order.
pub fn all(sizes: &[usize]) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    for &size in sizes {
        found = found.iter().flat_map(|head| (0..size).map(move |i| [head.as_slice(), &[i]].concat())).collect();
    }
    found
}

/// A test of one operator: a function that sets matching sizes and attributes, and one that computes the expected
/// outputs.
pub struct Exercise {
    pub name: &'static str,
    pub shape: fn(&mut Draft),
    pub evaluate: fn(&Draft) -> Vec<Plain>,
}

/// The results for the cells of one or more operators.
#[derive(Default)]
struct Count {
    /// Cells that were accepted, with correct results in every layout.
    right: usize,
    /// Cells that were forbidden and refused.
    refused: usize,
    /// Cells that the operator's constraints make unreachable.
    unreachable: usize,
    /// Cells that the device does not support.
    not_there: usize,
}

fn families() -> Vec<(&'static str, Vec<&'static [Exercise]>)> {
    vec![
        ("activation", vec![activation::OF_ONE, activation::OF_ROWS]),
        ("attention", vec![attention::EXERCISES]),
        ("elementwise", vec![element_wise::EXERCISES]),
        ("indexing", vec![indexing::EXERCISES]),
        ("matrix", vec![matrix::EXERCISES]),
        ("movement", vec![making::EXERCISES, movement::EXERCISES]),
        ("normalization", vec![normalization::EXERCISES]),
        ("recurrent", vec![recurrent::EXERCISES]),
        ("reduction", vec![reduction::EXERCISES]),
        ("regions", vec![regions::EXERCISES]),
        ("sample", vec![sample::EXERCISES]),
        ("training", vec![training::EXERCISES]),
        ("window", vec![window::CONVOLUTIONS, window::POOLS]),
    ]
}

/// Returns the element types of a row; float32 if the documentation does not list any.
fn types(row: &SupportRow) -> Vec<TensorDataType> {
    row.data_types.clone().unwrap_or_else(|| vec![TensorDataType::Float32])
}

fn counts(row: &SupportRow) -> std::ops::RangeInclusive<u32> {
    row.dimension_counts.min..=row.dimension_counts.max
}

impl Exercise {
    fn blocks(&self) -> impl Iterator<Item = Block> {
        let name = self.name;
        blocks().filter(move |entry| entry.operator.short_name() == name)
    }

    fn run(&self, count: &mut Count) {
        for entry in self.blocks() {
            for row in &entry.block.tensors {
                for data_type in TensorDataType::ALL {
                    for dimensions in 0..10 {
                        let known = types(row).contains(&data_type);
                        // If the documentation lists no types, other types may be valid too.
                        if row.data_types.is_none() && !known {
                            continue;
                        }
                        match known && row.dimension_counts.contains(dimensions) {
                            true => self.accepted(&entry, row, data_type, dimensions, count),
                            false => self.refused(&entry, row, data_type, dimensions, count),
                        }
                    }
                }
            }
        }
    }

    fn accepted(&self, entry: &Block, row: &SupportRow, data_type: TensorDataType, dimensions: u32, count: &mut Count) {
        let Some(description) = entry.description(&row.name, data_type, dimensions) else {
            count.unreachable += 1;
            return;
        };
        for (number, layout) in [Layout::Packed, Layout::Gaps, Layout::Repeated].into_iter().enumerate() {
            let seed = format!("{} {} {} {data_type} {dimensions} {number}", self.name, entry.level, row.name);
            let mut draft = Draft::new(description.clone(), &seed);
            (self.shape)(&mut draft);
            if NOT_THERE.contains(&(self.name, row.name.as_str())) {
                count.not_there += 1;
                return;
            }
            if let Err(said) = run(&SoftwareDevice::new(entry.level), draft, layout, self.evaluate) {
                panic!(
                    "{} at {}, {} {data_type} of {dimensions}, {layout:?}: {said}",
                    self.name, entry.level, row.name
                );
            }
        }
        count.right += 1;
    }

    /// Checks that a description which is valid except for this tensor is refused.
    fn refused(&self, entry: &Block, row: &SupportRow, data_type: TensorDataType, dimensions: u32, count: &mut Count) {
        let some = counts(row).flat_map(|n| types(row).into_iter().map(move |known| (known, n)));
        let some = some.into_iter().find_map(|(known, n)| entry.description(&row.name, known, n));
        let mut description = some.expect("the row allows at least one description");
        let wrong = TensorDescription::packed(data_type, vec![1; dimensions as usize]);
        let array = entry.operator.field(&row.name).unwrap().type_ == FieldType::TensorDescArray;
        let value = if array { FieldValue::Tensors(vec![wrong]) } else { FieldValue::Tensor(wrong) };
        *description.get_mut(&row.name).unwrap() = value;
        let (inputs, outputs) = (vec![None; description.inputs().len()], vec![None; description.outputs().len()]);
        let answer = SoftwareDevice::new(entry.level).dispatch(&description, &mut [], &inputs, &outputs);
        let Err(DeviceError::Invalid(found)) = answer else { panic!("{description:?}: {answer:?}") };
        let named =
            found.iter().any(|found| found.field.starts_with(row.name.as_str()) && !found.found.contains("bound"));
        assert!(named, "{} at {}: {} {data_type} of {dimensions}: {found:?}", self.name, entry.level, row.name);
        count.refused += 1;
    }
}

fn exercise(family: &str) {
    let mut count = Count::default();
    let (_, lists) = families().into_iter().find(|(name, _)| *name == family).unwrap();
    for exercise in lists.into_iter().flatten() {
        exercise.run(&mut count);
    }
    let Count { right, refused, unreachable, not_there } = count;
    println!(
        "{family}: {right} cells right, {refused} rejected, {unreachable} excluded by constraints, {not_there} not supported"
    );
}

macro_rules! families {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            exercise(stringify!($name));
        }
    )*};
}

mod family {
    use super::exercise;

    families! { activation attention elementwise indexing matrix movement normalization recurrent reduction regions sample training window }
}

/// The operators that have no exercise, including those that the device does not support. The list should stay empty.
const WITHOUT: &[&str] = &[];

/// Tensors that the device does not support, because the documentation does not say what they do or how they are
/// computed.
const NOT_THERE: &[(&str, &str)] =
    &[("MULTIHEAD_ATTENTION1", "PastSequenceLengthsTensor"), ("ROI_ALIGN_GRAD", "OutputROIGradientTensor")];

#[test]
fn only_the_listed_operators_have_no_exercise() {
    let with: BTreeSet<&str> = families().into_iter().flat_map(|(_, lists)| lists).flatten().map(|e| e.name).collect();
    let all: BTreeSet<&str> = DirectMl::embedded().operators().iter().map(|operator| operator.short_name()).collect();
    let without: Vec<&str> = all.difference(&with).copied().collect();
    assert_eq!(without, WITHOUT, "operators without an exercise");
    let there: BTreeSet<&str> = SoftwareDevice::operators().map(|operator| operator.short_name()).collect();
    let of = |with: &dyn Fn(&str) -> bool| -> usize {
        let blocks = blocks().filter(|entry| with(entry.operator.short_name())).flat_map(|entry| &entry.block.tensors);
        blocks.map(|row| types(row).len() * counts(row).count()).sum()
    };
    println!(
        "the software device runs {} of {} operators; the exercises of {} operators cover {} of {} cells",
        there.len(),
        all.len(),
        with.len(),
        of(&|name| with.contains(name)),
        of(&|_| true)
    );
}
