//! Small descriptions that the support tables allow: one for each tensor, element type and dimension count of each
//! block of a table. Tests change them to make other descriptions.

use super::description::{Attribute, Scalar, Size2d};
use super::description::{FieldValue, OperatorDescription};
use super::tensor::TensorDescription;
use plumbline_spec::directml::{
    DirectMl, Extent, FeatureLevel, Field, FieldType, Operator, Property, SupportBlock, SupportTable, TensorDataType,
};
use std::collections::BTreeMap;

/// A block of a support table, with the first feature level that it holds for.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// The operator.
    pub operator: &'static Operator,
    /// The table. `REDUCE` has several, each for some of its functions.
    pub table: &'static SupportTable,
    /// The types and dimension counts that the tensors may have.
    pub block: &'static SupportBlock,
    /// The first feature level that the block holds for.
    pub level: FeatureLevel,
}

/// Iterates over every block of every table.
pub fn blocks() -> impl Iterator<Item = Block> {
    DirectMl::embedded().operators().iter().flat_map(|operator| {
        let steps = |table: &'static SupportTable| table.steps().map(move |(level, block)| (table, level, block));
        operator.support.iter().flat_map(steps).map(move |(table, level, block)| Block {
            operator,
            table,
            block,
            level,
        })
    })
}

impl Block {
    /// Returns a description in which this tensor has this element type and dimension count, and the other tensors
    /// follow from the operator's constraints. Returns `None` if the constraints do not allow that. Optional attributes
    /// and other optional tensors are left out, except tensors that must be set together with this one.
    pub fn description(&self, tensor: &str, data_type: TensorDataType, count: u32) -> Option<OperatorDescription> {
        let mut types = BTreeMap::from([(tensor, data_type)]);
        let mut counts = BTreeMap::from([(tensor, count)]);
        self.settle_types(&mut types)?;
        self.settle_counts(&mut counts)?;
        let mut description = OperatorDescription::empty(self.operator);
        let with = self.together_with(tensor);
        for row in &self.block.tensors {
            if row.optional && row.name != tensor && !with.contains(&row.name.as_str()) {
                continue;
            }
            let count = counts[row.name.as_str()] as usize;
            let mut sizes = vec![2u32; count];
            // If the tensor has fewer dimensions than the table has sizes, the first of the optional sizes are left
            // out.
            let skip = row.symbolic_sizes.len().saturating_sub(count);
            for (size, symbol) in sizes.iter_mut().zip(self.extents(&row.name, skip)) {
                if let Extent::Fixed(fixed) = symbol {
                    *size = *fixed;
                }
            }
            let found = TensorDescription::packed(types[row.name.as_str()], sizes);
            let field = self.operator.field(&row.name)?;
            *description.get_mut(&row.name)? = match field.type_ {
                FieldType::TensorDescArray => FieldValue::Tensors(vec![found]),
                _ => FieldValue::Tensor(found),
            };
        }
        let output = self.operator.outputs().find_map(|field| description.tensor(&field.name)).map(|t| t.data_type);
        let fields: Vec<&'static Field> = self.operator.attributes().filter(|field| !field.optional).collect();
        for field in fields {
            *description.get_mut(&field.name)? = FieldValue::Attribute(self.attribute(field, output)?);
        }
        Some(description)
    }

    /// Returns the extents that the table gives a tensor, without the first `skip` optional ones.
    fn extents(&self, tensor: &str, mut skip: usize) -> Vec<&'static Extent> {
        let row = self.block.row(tensor);
        let kept = row.into_iter().flat_map(|row| &row.symbolic_sizes).filter(|size| {
            let left_out = size.optional && skip > 0;
            skip -= usize::from(left_out);
            !left_out
        });
        kept.map(|size| &size.extent).collect()
    }

    /// Returns the optional tensors that are set together with this one.
    fn together_with(&self, tensor: &str) -> &'static [&'static str] {
        let pair = ["ScaleTensor", "BiasTensor"];
        match self.operator.short_name().starts_with("MEAN_VARIANCE_NORMALIZATION") && pair.contains(&tensor) {
            true => &["ScaleTensor", "BiasTensor"],
            false => &[],
        }
    }

    /// Returns the groups of tensors that must agree in a property.
    fn groups(&self, property: Property) -> Vec<Vec<&'static str>> {
        let constraints = self.operator.tensor_constraints.iter().filter(|known| known.same.contains(&property));
        let mut groups: Vec<Vec<&str>> =
            constraints.map(|known| known.tensors.iter().map(String::as_str).collect()).collect();
        if property == Property::DataType
            && self.operator.short_name() == "ELEMENT_WISE_POW"
            && self.level < FeatureLevel::V3_0
        {
            groups.push(vec!["InputTensor", "ExponentTensor"]);
        }
        let sizes = self.operator.tensor_constraints.iter().filter(|known| known.same.contains(&Property::Sizes));
        if property == Property::DimensionCount {
            groups.extend(sizes.map(|known| known.tensors.iter().map(String::as_str).collect::<Vec<_>>()));
        }
        groups
    }

    /// Returns this tensor and all tensors that must agree with it in a property.
    fn group(&self, tensor: &'static str, property: Property) -> Vec<&'static str> {
        let groups = self.groups(property);
        let mut found = vec![tensor];
        let mut at = 0;
        while at < found.len() {
            let name = found[at];
            for group in groups.iter().filter(|group| group.contains(&name)) {
                for name in group {
                    if !found.contains(name) {
                        found.push(name);
                    }
                }
            }
            at += 1;
        }
        found
    }

    fn settle_types(&self, types: &mut BTreeMap<&str, TensorDataType>) -> Option<()> {
        let known = |name: &str| match self.block.row(name).and_then(|row| row.data_types.as_deref()) {
            Some(types) => types,
            None => &[TensorDataType::Float32],
        };
        let quantize = self.operator.short_name() == "ELEMENT_WISE_QUANTIZE_LINEAR";
        if quantize && let Some(&scale) = types.get("ScaleTensor") {
            types.insert("InputTensor", scale);
        }
        // First settle the tensors whose types are given, then the others.
        let asked: Vec<&'static str> = self.names_of_tensors().filter(|name| types.contains_key(name)).collect();
        for name in asked.into_iter().chain(self.names_of_tensors()) {
            let given = types.get(name).copied();
            // Tensors of the group that share no allowed type with tensor `name` do not depend on its type.
            let group = self.group(name, Property::DataType).into_iter();
            let group: Vec<&'static str> =
                group.filter(|other| known(other).iter().any(|t| known(name).contains(t))).collect();
            let fits = |wanted: &TensorDataType| {
                group.iter().all(|other| known(other).contains(wanted) && types.get(other).is_none_or(|t| t == wanted))
            };
            let fits_row =
                |wanted: &TensorDataType| match self.block.row(name).is_some_and(|row| row.data_types.is_none()) {
                    true => true,
                    false => fits(wanted),
                };
            let scale = (quantize && name == "ScaleTensor").then(|| types.get("InputTensor").copied()).flatten();
            let scale = scale.map(|input| if input == TensorDataType::Int32 { TensorDataType::Float32 } else { input });
            let found = given.or(scale).filter(fits_row).or_else(|| match given {
                None => known(name).iter().copied().find(|wanted| fits(wanted)),
                Some(_) => None,
            })?;
            for other in group {
                types.insert(other, found);
            }
        }
        Some(())
    }

    fn settle_counts(&self, counts: &mut BTreeMap<&str, u32>) -> Option<()> {
        let asked: Vec<&'static str> = self.names_of_tensors().filter(|name| counts.contains_key(name)).collect();
        for name in asked.into_iter().chain(self.names_of_tensors()) {
            let group = self.group(name, Property::DimensionCount);
            let ranges = || group.iter().filter_map(|other| self.block.row(other)).map(|row| row.dimension_counts);
            let least = ranges().map(|range| range.min).max()?;
            let found = counts.get(name).copied().unwrap_or(least);
            if ranges().any(|range| !range.contains(found)) {
                return None;
            }
            for other in group {
                counts.insert(other, found);
            }
        }
        Some(())
    }

    fn names_of_tensors(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.block.tensors.iter().map(|row| row.name.as_str())
    }

    /// Returns a value that an attribute may have.
    fn attribute(&self, field: &Field, output: Option<TensorDataType>) -> Option<Attribute> {
        let is_length = self.operator.fields.iter().any(|other| other.array_length_field.as_ref() == Some(&field.name));
        Some(match field.type_ {
            _ if field.is_bool() => Attribute::Bool(false),
            FieldType::Uint if is_length => Attribute::Uint(1),
            FieldType::Uint => match field.enumeration().map(|name| DirectMl::embedded().enumeration(name)) {
                Some(_) if field.enumeration() == Some("DML_TENSOR_DATA_TYPE") => Attribute::Uint(output?.value()),
                Some(known) => {
                    let of_table =
                        |name: &String| self.table.functions.is_empty() || self.table.functions.contains(name);
                    Attribute::Uint(
                        known?.values.iter().find(|value| of_table(&value.name)).or(known?.values.first())?.value,
                    )
                }
                None => Attribute::Uint(1),
            },
            FieldType::UintArray => Attribute::UintArray(vec![1]),
            FieldType::Int => Attribute::Int(1),
            FieldType::IntArray => Attribute::IntArray(vec![1]),
            FieldType::Float => Attribute::Float(1.0),
            FieldType::FloatArray => Attribute::FloatArray(vec![1.0]),
            FieldType::ScalarUnion => Attribute::Scalar(Scalar::from(1u8)),
            FieldType::Size2d => Attribute::Size2d(Size2d { width: 1, height: 1 }),
            FieldType::OperatorDescArray => {
                Attribute::Operators(vec![OperatorDescription::new("ACTIVATION_RELU").build_fused().ok()?])
            }
            _ => return None,
        })
    }
}
