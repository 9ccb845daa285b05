//! Breaks one rule of a valid description.

use std::collections::BTreeMap;

use plumbline_spec::directml::{
    DirectMl, Extent, FUSED_ACTIVATION, FeatureLevel, FieldKind, FieldType, Operator, Property, TensorDataType,
};

use super::description::{Attribute, Drawn, DrawnTensor, Fused, OWNED_BY_DML, dtype};
use super::sketch::Drawing;
use crate::directml_cell::Violated;

/// Breaks a rule in one place. Returns `None` if the description has no place where it can be broken.
pub(super) fn violate(d: &mut Drawing, rule: Violated) -> Option<()> {
    d.in_place = None;
    match rule {
        Violated::Operator => {
            let introduced = d.operator().introduced;
            d.cell.level = FeatureLevel::ALL.into_iter().rev().find(|level| *level < introduced)?;
        }
        Violated::Field => {
            let required = |d: &Drawing, name: &str| d.row(name).is_some_and(|row| !row.optional);
            let names: Vec<String> = given(d, None).into_iter().filter(|name| required(d, name)).collect();
            let name = some(d, &names)?;
            let (_, drawn) = d.fields.iter_mut().find(|(field, _)| field.name == name && !field.type_.is_array())?;
            *drawn = Drawn::Absent;
        }
        Violated::DataType => {
            let names = given(d, None);
            let name = some(d, &names)?;
            let allowed = d.row(&name)?.data_types.clone()?;
            let known = TensorDataType::ALL.into_iter();
            let others: Vec<TensorDataType> =
                known.filter(|t| t.bits().is_some_and(|bits| bits >= 8) && !allowed.contains(t)).collect();
            let other = some(d, &others)?;
            // All tensors whose types have to be equal get the type, so that only the table forbids it.
            for name in group_of(d, Property::DataType, name) {
                for tensor in tensors(d, &name).into_iter().flatten() {
                    retype(tensor, other)?;
                }
            }
        }
        Violated::DimensionCount => {
            let names = given(d, None);
            let most = names.iter().filter_map(|name| d.row(name)).map(|row| row.dimension_counts.max).min()?;
            for name in names {
                for tensor in tensors(d, &name).into_iter().flatten() {
                    while tensor.sizes.len() <= most as usize {
                        tensor.sizes.insert(0, 1);
                        if let Some(strides) = &mut tensor.strides {
                            strides.insert(0, 0);
                        }
                    }
                }
            }
        }
        Violated::Same => {
            let constraints: Vec<(String, Property)> = d
                .operator()
                .tensor_constraints
                .iter()
                .filter(|c| c.tensors.iter().filter(|name| !d.tensors(name).is_empty()).count() > 1)
                .flat_map(|c| c.same.iter().flat_map(move |p| c.tensors.iter().map(move |t| (t.clone(), *p))))
                .filter(|(name, property)| *property == Property::Sizes && !d.tensors(name).is_empty())
                .collect();
            let (name, _) = some(d, &constraints)?;
            let tensor = tensors(d, &name)?.first_mut()?;
            let last = tensor.sizes.len().checked_sub(1)?;
            // The elements of the larger tensor fit into its memory: a layout of its own is not wrong besides.
            tensor.sizes[last] += 1;
            tensor.strides = None;
            enlarge(tensor)?;
        }
        Violated::Size => {
            let sizes = shared_sizes(d);
            let (name, at) = some(d, &sizes)?;
            let tensor = tensors(d, &name)?.first_mut()?;
            tensor.sizes[at] += 1;
            tensor.strides = None;
            enlarge(tensor)?;
        }
        Violated::ZeroSize => {
            let tensor = any_tensor(d, None)?;
            let last = tensor.sizes.len().checked_sub(1)?;
            tensor.sizes[last] = 0;
        }
        Violated::Strides => {
            let tensor = any_tensor(d, None)?;
            let mut strides = tensor.effective_strides();
            strides.push(1);
            tensor.strides = Some(strides);
        }
        Violated::Overlap => {
            let tensor = any_tensor(d, Some(FieldKind::OutputTensor))?;
            let wide = tensor.sizes.iter().position(|&size| size > 1)?;
            let mut strides = tensor.effective_strides();
            strides[wide] = 0;
            tensor.strides = Some(strides);
        }
        Violated::Overflow => {
            let names = given(d, Some(FieldKind::InputTensor));
            let name = some(d, &names)?;
            // All tensors whose sizes have to be equal get them, so that only their product is wrong.
            for name in group_of(d, Property::Sizes, name) {
                for tensor in tensors(d, &name).into_iter().flatten() {
                    overflow(tensor)?;
                }
            }
        }
        Violated::TotalSize => {
            let tensor = any_tensor(d, None)?;
            let bits = u64::from(tensor.data_type.bits()?);
            let last = tensor.offsets().into_iter().max()?;
            let least = ((last + 1) * bits).div_ceil(8).next_multiple_of(4);
            tensor.total_size = least.checked_sub(4)?;
        }
        Violated::Alignment => any_tensor(d, None)?.alignment = 24,
        Violated::Flags => any_tensor(d, Some(FieldKind::OutputTensor))?.flags = Some(OWNED_BY_DML),
        Violated::Enumeration => {
            let (spec, level) = (DirectMl::embedded(), d.level());
            let mut later = Vec::new();
            for field in d.operator().attributes() {
                let Some(known) = field.enumeration().and_then(|name| spec.enumeration(name)) else { continue };
                if known.name == "DML_TENSOR_DATA_TYPE" {
                    continue;
                }
                let newer = known.values.iter().filter(|value| value.introduced > level);
                later.extend(newer.map(|value| (field.name.clone(), Attribute::Name(value.name.clone()))));
                let beyond = known.values.iter().map(|value| i64::from(value.value)).max().unwrap_or(0) + 1;
                later.push((field.name.clone(), Attribute::Int(beyond)));
            }
            let (name, value) = some(d, &later)?;
            let (_, drawn) = d.fields.iter_mut().find(|(field, _)| field.name == name)?;
            *drawn = Drawn::Attribute(value);
        }
        Violated::ArrayLength => {
            let lengths: Vec<String> =
                d.operator().fields.iter().filter_map(|field| field.array_length_field.clone()).collect();
            let name = some(d, &lengths)?;
            let (_, drawn) = d.fields.iter_mut().find(|(field, _)| field.name == name)?;
            let Drawn::Attribute(Attribute::Int(count)) = drawn else { return None };
            *count += 1;
        }
        Violated::FusedActivation => {
            let operator = d.operator();
            let field = operator.field(FUSED_ACTIVATION)?;
            // An operator without required attributes, so that its description is whole.
            let is_plain = |other: &&'static Operator| {
                other.attributes().all(|field| field.optional || field.type_ == FieldType::Float)
            };
            let (spec, level) = (DirectMl::embedded(), d.level());
            let fits = |other: &Operator| spec.fusable_from(other, operator).is_some_and(|from| from <= level);
            let others = spec.operators().iter().filter(is_plain);
            let others: Vec<&'static Operator> =
                others.filter(|other| other.introduced <= level && !fits(other)).collect();
            let inner = some(d, &others)?;
            let floats = inner.attributes().filter(|field| field.type_ == FieldType::Float);
            let fields = floats.map(|field| (field.name.clone(), Attribute::Float(1.0))).collect();
            d.give(&field.name, Attribute::Operator(Fused { operator: inner, fields }));
        }
        Violated::Binding => {
            any_tensor(d, Some(FieldKind::InputTensor))?;
            d.missing_bytes = 4;
        }
    }
    d.feature(&rule.feature());
    Some(())
}

/// Returns the fields whose tensors are given, those of one kind or all.
fn given(d: &Drawing, kind: Option<FieldKind>) -> Vec<String> {
    let is_given = |(field, drawn): &&(&plumbline_spec::directml::Field, Drawn)| {
        matches!(drawn, Drawn::Tensors(_)) && kind.is_none_or(|kind| field.kind == kind)
    };
    d.fields.iter().filter(is_given).map(|(field, _)| field.name.clone()).collect()
}

/// Returns the tensors that have this property in common with one of them.
fn group_of(d: &Drawing, property: Property, name: String) -> Vec<String> {
    let mut constraints = d.operator().tensor_constraints.iter();
    let group = constraints.find(|c| c.same.contains(&property) && c.tensors.contains(&name));
    group.map_or_else(|| vec![name], |group| group.tensors.clone())
}

/// Returns the sizes of given tensors, by field and dimension, that the support table fixes or that have the name of another
/// size.
fn shared_sizes(d: &Drawing) -> Vec<(String, usize)> {
    let mut fixed = Vec::new();
    let mut named: BTreeMap<&str, Vec<(String, usize)>> = BTreeMap::new();
    for name in given(d, None) {
        let Some(row) = d.row(&name) else { continue };
        let count = d.tensors(&name).first().map_or(0, |tensor| tensor.sizes.len());
        for (at, size) in row.sizes_of(count).into_iter().flatten().enumerate() {
            match &size.extent {
                Extent::Fixed(_) => fixed.push((name.clone(), at)),
                Extent::Named(shared) => named.entry(shared).or_default().push((name.clone(), at)),
                Extent::Several(_) => {}
            }
        }
    }
    fixed.extend(named.into_values().filter(|places| places.len() > 1).flatten());
    fixed
}

/// Gives a tensor a size and a stride with which its last element has a place that 64 bits do not count. Nothing says then
/// how large its total size has to be.
fn overflow(tensor: &mut DrawnTensor) -> Option<()> {
    let mut strides = tensor.effective_strides();
    *strides.last_mut()? = u32::MAX;
    *tensor.sizes.last_mut()? = u32::MAX;
    tensor.strides = Some(strides);
    Some(())
}

fn some<T: Clone>(d: &mut Drawing, options: &[T]) -> Option<T> {
    if options.is_empty() { None } else { Some(d.pick(options)) }
}

fn tensors<'a>(d: &'a mut Drawing, name: &str) -> Option<&'a mut Vec<DrawnTensor>> {
    match d.fields.iter_mut().find(|(field, _)| field.name == name)? {
        (_, Drawn::Tensors(tensors)) => Some(tensors),
        _ => None,
    }
}

fn any_tensor(d: &mut Drawing, kind: Option<FieldKind>) -> Option<&mut DrawnTensor> {
    let names = given(d, kind);
    let name = some(d, &names)?;
    tensors(d, &name)?.first_mut()
}

/// Gives a tensor another element type, with as many elements in its buffer as before.
fn retype(tensor: &mut DrawnTensor, data_type: TensorDataType) -> Option<()> {
    let was = u64::from(tensor.data_type.bits()?);
    let places = (tensor.total_size * 8).div_ceil(was);
    let bits = u64::from(data_type.bits()?);
    tensor.data_type = data_type;
    tensor.total_size = (places * bits).div_ceil(8).next_multiple_of(8);
    tensor.alignment = 0;
    if tensor.buffer.is_some() {
        zeros(tensor)?;
    }
    Some(())
}

/// Makes the buffer of a packed tensor large enough for its sizes.
fn enlarge(tensor: &mut DrawnTensor) -> Option<()> {
    let bits = u64::from(tensor.data_type.bits()?);
    let last = tensor.offsets().into_iter().max()?;
    tensor.total_size = tensor.total_size.max(((last + 1) * bits).div_ceil(8).next_multiple_of(8));
    if tensor.buffer.is_some() {
        zeros(tensor)?;
    }
    Some(())
}

fn zeros(tensor: &mut DrawnTensor) -> Option<()> {
    let dtype = dtype(tensor.data_type)?;
    let count = usize::try_from(tensor.total_size).ok()? / dtype.size().max(1);
    tensor.buffer = Some(plumbline_tensor::Tensor::zeros(dtype, vec![count]).ok()?);
    Some(())
}
