//! A case of a DirectML operator while it is drawn.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use plumbline_spec::directml::{
    FeatureLevel, Field, FieldKind, Operator, Property, SupportBlock, SupportRow, TensorDataType,
};
use plumbline_tensor::{DType, Tensor};

use super::description::{Attribute, Drawn, DrawnTensor, May, OWNED_BY_DML, dtype};
use crate::cell::hash;
use crate::choices::Choices;
use crate::directml_cell::{DirectMlCell, drawn_types, first_row};
use crate::values::{self, Values};

/// The feature of a case in which DirectML owns an input.
pub(super) const OWNED_INPUT: &str = "an input that DirectML owns";

/// A case of a DirectML operator while it is drawn. A family gives the tensors and attributes by name; a field that it
/// does not give is left out.
#[derive(Clone)]
pub(crate) struct Drawing {
    pub(super) choices: Choices,
    pub(super) cell: DirectMlCell,
    /// A number by which options take turns: that of the case, moved for each cell.
    pub(super) turn: u64,
    pub(super) block: &'static SupportBlock,
    pub(super) fields: Vec<(&'static Field, Drawn)>,
    pub(super) features: Vec<String>,
    /// The element type of each tensor.
    types: BTreeMap<&'static str, TensorDataType>,
    /// The input whose memory the output shares.
    pub(super) in_place: Option<usize>,
    /// The bytes by which the buffer of an input is too short.
    pub(super) missing_bytes: u64,
}

impl Drawing {
    /// Begins a case. Chooses the support table, for an operator with several, and the element types of all tensors.
    /// Returns `None` if no table has the type of the cell.
    pub(super) fn new(cell: DirectMlCell, index: u64, mut choices: Choices) -> Option<Drawing> {
        let operator = cell.operator;
        let mut tables = Vec::new();
        for table in &operator.support {
            let Some(block) = table.at(cell.level) else { continue };
            let row = first_row(operator, block);
            if row.is_some_and(|row| drawn_types(row).contains(&cell.data_type)) {
                tables.push((table, block));
            }
        }
        let (table, block) = *tables.get(choices.below(tables.len() as u64) as usize)?;
        let fields = operator.fields.iter().map(|field| (field, Drawn::Absent)).collect();
        let mut drawing = Drawing {
            choices,
            cell,
            turn: index + hash(&cell.to_string()) % 1024,
            block,
            fields,
            features: vec![],
            types: BTreeMap::new(),
            in_place: None,
            missing_bytes: 0,
        };
        if let Some(function) = operator.function_field() {
            let name = drawing.pick(&table.functions);
            drawing.give(&function.name, Attribute::Name(name));
        }
        drawing.draw_types()?;
        drawing.feature(&format!("level {}", cell.level));
        Some(drawing)
    }

    /// Adds what does not depend on the operator's family: shared memory, tensors that DirectML owns, and features of all
    /// fields.
    pub(super) fn finish(&mut self) {
        if !self.give_to_directml() {
            self.share_memory();
        }
        let mut features = Vec::new();
        for (field, drawn) in &self.fields {
            let name = &field.name;
            let row = self.row(name);
            if row.map_or(field.optional, |row| row.optional) {
                features.push(format!("{name} {}", if *drawn == Drawn::Absent { "absent" } else { "given" }));
            }
            features.extend(drawn.features(name));
        }
        features.iter().for_each(|feature| self.feature(feature));
    }

    pub(super) fn operator(&self) -> &'static Operator {
        self.cell.operator
    }

    pub(super) fn level(&self) -> FeatureLevel {
        self.cell.level
    }

    /// Returns an index below `count`; 0 if `count` is 0.
    pub(super) fn below(&mut self, count: usize) -> usize {
        self.choices.below(count as u64) as usize
    }

    /// Returns a number from the range; its start is the simplest.
    pub(super) fn range(&mut self, range: RangeInclusive<u32>) -> u32 {
        let span = range.end().saturating_sub(*range.start()).saturating_add(1);
        range.start() + self.choices.below(u64::from(span)) as u32
    }

    /// Returns true or false; false is the simplest.
    pub(super) fn flag(&mut self) -> bool {
        self.below(2) == 1
    }

    /// Returns one of these options; the first is the simplest.
    pub(super) fn pick<T: Clone>(&mut self, options: &[T]) -> T {
        options[self.choices.below(options.len() as u64) as usize].clone()
    }

    /// Notes that the case has a feature.
    pub(super) fn feature(&mut self, name: &str) {
        if !self.features.iter().any(|known| known == name) {
            self.features.push(name.to_owned());
        }
    }

    /// Returns the row of a tensor in the support table.
    pub(super) fn row(&self, tensor: &str) -> Option<&'static SupportRow> {
        self.block.row(tensor)
    }

    /// Returns the element type of a tensor.
    pub(super) fn type_of(&self, tensor: &str) -> TensorDataType {
        self.types.get(tensor).copied().unwrap_or(self.cell.data_type)
    }

    /// Changes the element type of a tensor that is not given yet.
    pub(super) fn set_type(&mut self, tensor: &str, data_type: TensorDataType) {
        if let Some(field) = self.operator().field(tensor) {
            self.types.insert(&field.name, data_type);
        }
    }

    /// Draws the element types: the first tensor has that of the cell, and tensors whose types must be equal have the same.
    fn draw_types(&mut self) -> Option<()> {
        let operator = self.operator();
        let mut first = true;
        for field in operator.inputs().chain(operator.outputs()) {
            let row = self.row(&field.name)?;
            let known = drawn_types(row);
            let mut constraints = operator.tensor_constraints.iter().filter(|c| c.same.contains(&Property::DataType));
            let group = constraints.find(|constraint| constraint.tensors.contains(&field.name));
            let mut others = group.iter().flat_map(|group| &group.tensors);
            let equal = others.find_map(|other| self.types.get(other.as_str())).copied();
            let data_type = match equal.filter(|equal| known.contains(equal)) {
                Some(equal) => equal,
                None if first => self.cell.data_type,
                None => {
                    let of_group = group.iter().flat_map(|group| &group.tensors).filter_map(|name| self.row(name));
                    let rows: Vec<&SupportRow> = of_group.collect();
                    let in_all = |t: &&TensorDataType| rows.iter().all(|row| drawn_types(row).contains(*t));
                    let mut options: Vec<TensorDataType> = known.iter().filter(in_all).copied().collect();
                    if options.is_empty() {
                        options = known.to_vec();
                    }
                    match self.in_turn(options.len() as u64) {
                        Some(at) => options[at],
                        None => self.pick(&options),
                    }
                }
            };
            first = false;
            self.types.insert(&field.name, data_type);
        }
        Some(())
    }

    /// Gives a field, also in place of what was drawn for it before.
    pub(super) fn give(&mut self, name: &str, attribute: Attribute) {
        if let Attribute::Name(value) = &attribute {
            if let Some(Attribute::Name(before)) = self.attribute_of(name) {
                let before = format!("{name} {before}");
                self.features.retain(|feature| *feature != before);
            }
            self.feature(&format!("{name} {value}"));
        }
        if let Some((field, drawn)) = self.fields.iter_mut().find(|(field, _)| field.name == name) {
            let count = match &attribute {
                Attribute::Ints(values) => Some(values.len()),
                Attribute::Floats(values) => Some(values.len()),
                Attribute::Operators(called) => Some(called.len()),
                _ => None,
            };
            *drawn = Drawn::Attribute(attribute);
            if let (Some(count), Some(length)) = (count, field.array_length_field.clone()) {
                self.give(&length, Attribute::Int(count as i64));
            }
        }
    }

    /// Gives a tensor, or one more tensor of an array.
    pub(super) fn give_tensor(&mut self, name: &str, tensor: DrawnTensor) {
        let mut length = None;
        if let Some((field, drawn)) = self.fields.iter_mut().find(|(field, _)| field.name == name) {
            match drawn {
                Drawn::Tensors(tensors) if field.type_.is_array() => tensors.push(tensor),
                _ => *drawn = Drawn::Tensors(vec![tensor]),
            }
            if let (Drawn::Tensors(tensors), Some(field)) = (drawn, &field.array_length_field) {
                length = Some((field.clone(), tensors.len()));
            }
        }
        if let Some((field, count)) = length {
            self.give(&field, Attribute::Int(count as i64));
        }
    }

    /// Gives an input with these sizes, in a layout of any kind, whose buffer has these values everywhere.
    pub(super) fn input(&mut self, name: &str, sizes: &[u32], values: Values) {
        self.input_laid(name, sizes, values, May::Repeat);
    }

    /// Gives an input whose layout has no more than `may` says.
    pub(super) fn input_laid(&mut self, name: &str, sizes: &[u32], values: Values, may: May) {
        let data_type = self.type_of(name);
        let mut tensor = self.layout(data_type, sizes, may);
        tensor.buffer = self.buffer(&tensor, values);
        self.give_tensor(name, tensor);
    }

    /// Gives an input with these elements, in row-major order. Gaps have drawn values.
    pub(super) fn input_of(&mut self, name: &str, sizes: &[u32], elements: &[i128]) {
        let tensor = self.layout(self.type_of(name), sizes, May::Gaps);
        self.input_exact(name, tensor, |dtype| exact(dtype, elements));
    }

    /// Gives an input of floating-point numbers, each of which is one of these.
    pub(super) fn input_from(&mut self, name: &str, sizes: &[u32], options: &[f64]) {
        let elements: Vec<f64> = (0..sizes.iter().product()).map(|_| self.pick(options)).collect();
        self.input_numbers(name, sizes, &elements);
    }

    /// Gives an input of floating-point numbers with these elements, in row-major order. Gaps have drawn values.
    pub(super) fn input_numbers(&mut self, name: &str, sizes: &[u32], elements: &[f64]) {
        let tensor = self.layout(self.type_of(name), sizes, May::Gaps);
        self.input_numbers_laid(name, tensor, elements);
    }

    /// Gives an input of floating-point numbers with this layout. Of elements in one place, the last one counts.
    pub(super) fn input_numbers_laid(&mut self, name: &str, tensor: DrawnTensor, elements: &[f64]) {
        self.input_exact(name, tensor, |dtype| Tensor::from_f64s(dtype, vec![elements.len()], elements).ok());
    }

    fn input_exact(&mut self, name: &str, mut tensor: DrawnTensor, elements: impl Fn(DType) -> Option<Tensor>) {
        tensor.buffer = self.buffer(&tensor, Values::Integers).and_then(|buffer| {
            let exact = elements(buffer.dtype())?;
            let mut bits: Vec<u64> = (0..buffer.len()).map(|at| buffer.bits_at(at)).collect();
            for (at, place) in tensor.offsets().into_iter().enumerate().take(exact.len()) {
                *bits.get_mut(usize::try_from(place).ok()?)? = exact.bits_at(at);
            }
            Tensor::from_bits(buffer.dtype(), vec![bits.len()], bits.into_iter()).ok()
        });
        self.give_tensor(name, tensor);
    }

    /// Gives an input whose buffer counts up from a number below 100, and begins again with 0 after 99.
    pub(super) fn input_counted(&mut self, name: &str, sizes: &[u32]) {
        let data_type = self.type_of(name);
        let mut tensor = self.layout(data_type, sizes, May::Repeat);
        let first = self.below(100);
        tensor.buffer = self.buffer(&tensor, Values::Integers).and_then(|buffer| {
            let numbers: Vec<i128> = (0..buffer.len()).map(|at| ((at + first) % 100) as i128).collect();
            exact(buffer.dtype(), &numbers)
        });
        self.give_tensor(name, tensor);
    }

    /// Gives an output with these sizes.
    pub(super) fn output(&mut self, name: &str, sizes: &[u32]) {
        let data_type = self.type_of(name);
        let tensor = self.layout(data_type, sizes, May::Gaps);
        self.give_tensor(name, tensor);
    }

    /// Draws the elements of a whole buffer. Floating-point zeros are positive, unless the values have everything.
    fn buffer(&mut self, tensor: &DrawnTensor, values: Values) -> Option<Tensor> {
        let dtype = dtype(tensor.data_type)?;
        let count = usize::try_from(tensor.total_size).ok()? * 8 / dtype.bits()? as usize;
        let negative_zero = dtype.float_format().map(|format| format.encode(-0.0, plumbline_tensor::Saturation::None));
        let element = |choice| match values::element(dtype, values, choice) {
            bits if Some(bits) == negative_zero && !matches!(values, Values::Any | Values::Finite) => 0,
            bits => bits,
        };
        let bits: Vec<u64> = self.choices.block(count, values::BOUND).into_iter().map(element).collect();
        Tensor::from_bits(dtype, vec![count], bits.into_iter()).ok()
    }

    /// Returns whether an optional tensor is given in this case.
    pub(super) fn has(&mut self, name: &str) -> bool {
        if self.operator().field(name).is_none() {
            return false;
        }
        let optional = self.row(name).is_none_or(|row| row.optional);
        !optional || self.flag()
    }

    /// Gives a field that holds one element of this type.
    pub(super) fn scalar(&mut self, name: &str, data_type: TensorDataType, value: i128) {
        if let Some(exact) = dtype(data_type).and_then(|dtype| exact(dtype, &[value])) {
            self.give(name, Attribute::Scalar(data_type, exact.bits_at(0)));
        }
    }

    /// Returns the value of a field that is no tensor, if it is given.
    pub(super) fn attribute_of(&self, name: &str) -> Option<&Attribute> {
        match self.fields.iter().find(|(field, _)| field.name == name) {
            Some((_, Drawn::Attribute(attribute))) => Some(attribute),
            _ => None,
        }
    }

    /// Returns the tensors of a field that are given.
    pub(super) fn tensors(&self, name: &str) -> &[DrawnTensor] {
        match self.fields.iter().find(|(field, _)| field.name == name) {
            Some((_, Drawn::Tensors(tensors))) => tensors,
            _ => &[],
        }
    }

    /// Lets the first output share the memory of an input, in some cases of an operator that works in place. Both then have
    /// the same description. The page of ADAM_OPTIMIZER excludes the input TrainingStepTensor.
    fn share_memory(&mut self) {
        if !self.operator().in_place {
            return;
        }
        let Some(output) = self.operator().outputs().next() else { return };
        let Some(written) = self.tensors(&output.name).first().cloned() else { return };
        let fits = |tensor: &DrawnTensor| {
            tensor.data_type == written.data_type && tensor.sizes == written.sizes && !tensor.is_broadcast()
        };
        let mut at = 0;
        let mut options = Vec::new();
        for (field, drawn) in &self.fields {
            if field.kind != FieldKind::InputTensor {
                continue;
            }
            match drawn {
                Drawn::Tensors(_) if field.name == "TrainingStepTensor" => at += 1,
                Drawn::Tensors(tensors) => {
                    options
                        .extend(tensors.iter().enumerate().filter(|(_, t)| fits(t)).map(|(i, t)| (at + i, t.clone())));
                    at += tensors.len();
                }
                _ => at += 1,
            }
        }
        if options.is_empty() || self.below(4) != 3 {
            return;
        }
        let (place, shared) = self.pick(&options);
        self.feature("in place");
        self.in_place = Some(place);
        if let Some((_, drawn)) = self.fields.iter_mut().find(|(field, _)| field.name == output.name) {
            *drawn = Drawn::Tensors(vec![DrawnTensor { buffer: None, ..shared }]);
        }
    }

    /// Lets DirectML own the tensors of an input in every seventh case: it copies them when the operator is initialized.
    /// Memory that the output shares cannot be such a copy. Returns whether there is such an input.
    fn give_to_directml(&mut self) -> bool {
        // Seven has no factor in common with the turns of enumerations.
        let owns = self.choices.steered(2, u64::from(self.turn % 7 == 6)) == 1;
        let mut inputs: Vec<&mut Vec<DrawnTensor>> = Vec::new();
        for (field, drawn) in &mut self.fields {
            match drawn {
                Drawn::Tensors(tensors) if field.kind == FieldKind::InputTensor => inputs.push(tensors),
                _ => {}
            }
        }
        if !owns || inputs.is_empty() {
            return false;
        }
        let at = self.choices.below(inputs.len() as u64) as usize;
        inputs[at].iter_mut().for_each(|tensor| tensor.flags = Some(OWNED_BY_DML));
        self.feature(OWNED_INPUT);
        true
    }
}

/// Returns whole numbers as the elements of a tensor with one dimension.
fn exact(dtype: DType, numbers: &[i128]) -> Option<Tensor> {
    if !dtype.is_float() {
        return Tensor::from_i128s(dtype, vec![numbers.len()], numbers).ok();
    }
    let numbers: Vec<f64> = numbers.iter().map(|&number| number as f64).collect();
    Tensor::from_f64s(dtype, vec![numbers.len()], &numbers).ok()
}
