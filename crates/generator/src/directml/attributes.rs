//! Draws the fields that are no tensors, where an operator's family does not give them.

use plumbline_spec::directml::{DirectMl, EnumValue, FUSED_ACTIVATION, Field, FieldType, Operator, SCALE_BIAS};

use super::description::{Attribute, Drawn, Fused};
use super::sketch::Drawing;

/// The numbers that a `FLOAT` field is drawn from where nothing else is said. Every floating-point type has them.
const FLOATS: [f32; 7] = [1.0, 0.5, 2.0, -0.5, 0.25, 1.5, -2.0];

impl Drawing {
    /// Gives every attribute that is not given yet: a value of each enumeration, `BOOL`s, and small numbers for `FLOAT`
    /// fields.
    pub(super) fn attributes(&mut self) {
        let operator = self.operator();
        // The values of all enumerations take turns together, so that each value of one meets each value of another.
        let mut turn = self.turn;
        for field in operator.attributes() {
            let is_length = operator.fields.iter().any(|f| f.array_length_field.as_ref() == Some(&field.name));
            if is_length || self.fields.iter().any(|(f, drawn)| f.name == field.name && *drawn != Drawn::Absent) {
                continue;
            }
            if let Some(attribute) = self.attribute(field, &mut turn) {
                self.give(&field.name, attribute);
            }
        }
    }

    fn attribute(&mut self, field: &'static Field, turn: &mut u64) -> Option<Attribute> {
        if field.name == SCALE_BIAS {
            return self.scale_bias();
        }
        if field.name == FUSED_ACTIVATION {
            return self.fused_activation();
        }
        if let Some(known) = field.enumeration().and_then(|name| DirectMl::embedded().enumeration(name)) {
            let level = self.level();
            let operator = self.operator();
            let is_meant = |value: &&EnumValue| {
                let mut meanings = DirectMl::embedded().meanings(operator);
                value.introduced <= level && meanings.any(|meaning| meaning.covers(&field.name, &value.name))
            };
            let names: Vec<String> = known.values.iter().filter(is_meant).map(|value| value.name.clone()).collect();
            if names.is_empty() {
                return None;
            }
            // The values take turns, so that a few cases have them all.
            let count = names.len() as u64;
            let at = self.choices.steered(count, *turn % count) as usize;
            *turn /= count;
            return Some(Attribute::Name(names[at].clone()));
        }
        match field.type_ {
            _ if field.is_bool() => Some(Attribute::Bool(self.flag())),
            FieldType::Float => Some(Attribute::Float(self.float_of(&field.name))),
            _ => None,
        }
    }

    /// Draws a `FLOAT`: a number that the type of the output has.
    fn float_of(&mut self, name: &str) -> f32 {
        let output = self.operator().outputs().next().map_or(self.cell.data_type, |field| self.type_of(&field.name));
        let is_signed = !output.is_unsigned();
        match (self.operator().short_name(), name) {
            ("ACTIVATION_SOFTPLUS", _) => self.pick(&[1.0, 2.0, 4.0]),
            ("ACTIVATION_CELU" | "ACTIVATION_SWISH", _) => self.pick(&[1.0, 0.5, 2.0]),
            ("ELEMENT_WISE_CLIP" | "ELEMENT_WISE_CLIP_GRAD", "Max") => self.pick(&[4.0, 2.0, 9.0]),
            (_, "Threshold" | "Min") if !is_signed => self.pick(&[1.0, 0.0, 3.0]),
            (_, "Threshold") => self.pick(&[1.0, 0.0, 3.0]),
            _ if is_signed && !output.is_float() => self.pick(&[1.0, 0.0, 2.0, -1.0, -3.0]),
            _ if !output.is_float() => self.pick(&[1.0, 0.0, 2.0]),
            ("ELEMENT_WISE_CONSTANT_POW", _) => self.pick(&[1.0, 0.5, 2.0, -1.0, 3.0]),
            _ => self.pick(&FLOATS),
        }
    }

    /// Draws a `DML_SCALE_BIAS` whose numbers every floating-point type has. The page does not say how its numbers are
    /// converted to an integer type, so tensors of integers have none.
    fn scale_bias(&mut self) -> Option<Attribute> {
        let given = self.cell.data_type.is_float() && self.flag();
        given.then(|| {
            let scale = self.pick(&[1.0, 0.5, 0.25, 0.125]);
            Attribute::ScaleBias { scale, bias: self.pick(&[0.0, 0.25, 0.5, 0.125]) }
        })
    }

    /// Draws a fused activation. Those that the operator takes at the level take turns, and each has two: one case with it,
    /// and one without any. The case with it is the second of the two. The values of enumerations take turns as well; if the
    /// operator has some, every other activation comes in the first case, so that each value is drawn with and without an
    /// activation. The operator's family draws the axes of an activation, because it knows the sizes of the output.
    fn fused_activation(&mut self) -> Option<Attribute> {
        let spec = DirectMl::embedded();
        let takes = |activation: &&'static Operator| {
            spec.fusable_from(activation, self.operator()).is_some_and(|from| from <= self.level())
                && spec.meanings(activation).next().is_some()
        };
        let known: Vec<&'static Operator> = spec.operators().iter().filter(takes).collect();
        let turn = self.choices.steered(2 * known.len() as u64, self.turn % (2 * known.len().max(1)) as u64) as usize;
        let has_enumerations = self.operator().attributes().any(|field| field.enumeration().is_some());
        let moved = if has_enumerations { turn + turn / 2 } else { turn };
        let operator = known.get(turn / 2).copied().filter(|_| moved % 2 == 1)?;
        let mut fields = Vec::new();
        for field in operator.attributes().filter(|field| field.type_ == FieldType::Float) {
            let numbers = if field.name == "Steepness" { [1.0, 2.0, 4.0] } else { [0.5, 1.0, 2.0] };
            fields.push((field.name.clone(), Attribute::Float(self.pick(&numbers))));
        }
        Some(Attribute::Operator(Fused { operator, fields }))
    }
}
