//! Optimizers.

use crate::directml::description::Attribute;
use crate::directml::families::normalization::{POSITIVE, SIGNED};
use crate::directml::sketch::Drawing;

pub(super) fn adam(d: &mut Drawing) -> Option<()> {
    let sizes = d.sizes(4..=4);
    for (name, value) in [("LearningRate", 0.25), ("Beta1", 0.5), ("Beta2", 0.75), ("Epsilon", 0.125)] {
        d.give(name, Attribute::Float(value));
    }
    d.input("InputParametersTensor", &sizes, SIGNED);
    d.input("InputFirstMomentTensor", &sizes, SIGNED);
    d.input("InputSecondMomentTensor", &sizes, POSITIVE);
    d.input("GradientTensor", &sizes, SIGNED);
    let step = 1 + d.below(4) as i128;
    d.input_of("TrainingStepTensor", &[1, 1, 1, 1], &[step]);
    for name in ["OutputParametersTensor", "OutputFirstMomentTensor", "OutputSecondMomentTensor"] {
        d.output(name, &sizes);
    }
    Some(())
}
