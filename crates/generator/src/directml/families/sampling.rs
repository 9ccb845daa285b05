//! Operators that read between the elements of an input. Positions are exact in every floating-point type, or lie so far
//! from where rounding changes its direction that their own rounding does not matter: no page says how it is done.

use crate::directml::description::Attribute;
use crate::directml::sketch::Drawing;
use crate::values::Values;

/// The largest number of elements of an output.
const MOST_ELEMENTS: u32 = 256;
/// The least distance of a position that is not exact from one where another element is nearest.
const MARGIN: f64 = 1.0 / 16.0;

/// How positions become elements.
#[derive(Clone, Copy, PartialEq)]
enum Rounding {
    /// The nearest element. Which one it is half-way between two is not said.
    Nearest,
    /// The next element in one direction.
    Directed,
    /// The two elements around the position, with weights.
    Linear,
}

/// The mapping along a dimension.
#[derive(Clone, Copy, Debug)]
struct Axis {
    scale: f32,
    input_offset: f32,
    output_offset: f32,
}

impl Axis {
    fn position(&self, at: u32) -> f64 {
        (f64::from(at) - f64::from(self.output_offset)) / f64::from(self.scale) - f64::from(self.input_offset)
    }

    /// Returns whether it is certain which elements these positions stand for.
    fn is_certain(&self, positions: u32, rounding: Rounding) -> bool {
        let is_exact = self.scale.log2().fract() == 0.0;
        (0..positions).all(|at| {
            let fraction = self.position(at).rem_euclid(1.0);
            match rounding {
                Rounding::Nearest => (fraction - 0.5).abs() >= MARGIN,
                Rounding::Directed => is_exact || (MARGIN..=1.0 - MARGIN).contains(&fraction),
                Rounding::Linear => is_exact,
            }
        })
    }
}

/// Returns every mapping that can be drawn for a dimension.
fn axes(d: &Drawing, positions: u32, rounding: Rounding) -> Vec<Axis> {
    let fixed = d.operator().field("InputPixelOffsets").is_none();
    let offsets: &[(f32, f32)] = match fixed {
        true => &[(0.5, -0.5)],
        false => &[(0.5, -0.5), (0.0, 0.0), (0.25, -0.25), (0.5, 0.0), (-0.25, 0.5), (1.0, -1.0)],
    };
    let scales = [1.0, 2.0, 0.5, 4.0, 0.25, 1.5, 3.0, 0.75];
    let all = offsets.iter().flat_map(|&(input_offset, output_offset)| {
        scales.iter().map(move |&scale| Axis { scale, input_offset, output_offset })
    });
    all.filter(|axis| axis.is_certain(positions, rounding)).collect()
}

pub(super) fn resample(d: &mut Drawing) -> Option<()> {
    let is_gradient = d.operator().field("InputGradientTensor").is_some();
    let (whole, sampled) = match is_gradient {
        true => ("OutputGradientTensor", "InputGradientTensor"),
        false => ("InputTensor", "OutputTensor"),
    };
    let counts = d.dimension_counts(&[whole, sampled]);
    let mut sizes = d.sizes(counts);
    // How the mean of integers is rounded is not said.
    if !d.type_of(whole).is_float() {
        d.give("InterpolationMode", Attribute::Name("DML_INTERPOLATION_MODE_NEAREST_NEIGHBOR".to_owned()));
    }
    d.attributes();
    let is_linear =
        matches!(d.attribute_of("InterpolationMode"), Some(Attribute::Name(name)) if name.ends_with("LINEAR"));
    let is_antialiased = is_linear && d.attribute_of("Antialiased") == Some(&Attribute::Bool(true));
    let rounding = match d.operator().field("RoundingDirection") {
        _ if is_linear => Rounding::Linear,
        Some(_) => Rounding::Directed,
        None => Rounding::Nearest,
    };
    let stretched = is_antialiased.then(|| d.below(sizes.len()));
    let (mut output, mut axes_of) = (vec![], vec![]);
    let mut elements = 1;
    for (at, size) in sizes.iter_mut().enumerate() {
        let (axis, count) = if stretched == Some(at) {
            // What the filter does beyond the edges is not said, so it lies within the input.
            let count = d.range(1..=2);
            *size = 4 + 4 * count;
            d.feature("a filter for antialiasing");
            (Axis { scale: 0.25, input_offset: d.pick(&[1.0, 0.75, 0.5]), output_offset: -1.0 }, count)
        } else {
            if stretched.is_some() {
                *size = (*size).min(3);
            }
            let count = d.range(1..=9.min(MOST_ELEMENTS / elements));
            let mut known = axes(d, count, rounding);
            // Other dimensions of an antialiased input grow, or keep their size.
            known.retain(|axis| !is_antialiased || axis.scale >= 1.0);
            (d.pick(&known), count)
        };
        elements *= count;
        output.push(count);
        axes_of.push(axis);
    }
    let floats = |value: fn(&Axis) -> f32| Attribute::Floats(axes_of.iter().map(value).collect());
    d.give("Scales", floats(|axis| axis.scale));
    d.give("InputPixelOffsets", floats(|axis| axis.input_offset));
    d.give("OutputPixelOffsets", floats(|axis| axis.output_offset));
    if is_gradient {
        d.input(sampled, &output, Values::Between(-4.0, 4.0));
        d.output(whole, &sizes);
    } else {
        d.input(whole, &sizes, Values::Moderate);
        d.output(sampled, &output);
    }
    Some(())
}

/// The last two dimensions grow. The page does not say where elements lie, which matters for a linear interpolation.
pub(super) fn upsample(d: &mut Drawing) -> Option<()> {
    let counts = d.dimension_counts(&["InputTensor", "OutputTensor"]);
    let mut sizes = d.sizes(counts);
    d.attributes();
    d.input("InputTensor", &sizes, Values::Moderate);
    let [.., rows, columns] = sizes.as_mut_slice() else { return None };
    let (height, width) = (d.range(1..=3), d.range(1..=4));
    d.give("ScaleSize", Attribute::Size2d { width, height });
    (*rows, *columns) = (*rows * height, *columns * width);
    d.output("OutputTensor", &sizes);
    Some(())
}
