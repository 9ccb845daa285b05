//! A call of an operator: brings its tensors to the dimension counts that the operator takes, and checks them against
//! its support table.

use super::context::Lowering;
use super::error::{LoweringError, Obstacle, Unsupported};
use super::view::{View, described, packed};
use crate::{FieldValue, Given, OperatorDescription, TensorDescription, Wire};
use plumbline_graph::Refusal;
use plumbline_spec::directml::{DirectMl, FeatureLevel, Operator, Property, SupportBlock, TensorDataType};

/// A tensor of a call.
struct Slot {
    field: &'static str,
    /// The wire that is read; `None` for an output.
    wire: Option<Wire>,
    data_type: TensorDataType,
    sizes: Vec<u32>,
    strides: Vec<u32>,
}

/// The value of an attribute.
enum Setting {
    Given(Given),
    Axis(usize),
    Axes(Vec<usize>),
    /// One number for each dimension, and the number that means that the operator does not affect the dimension.
    Along(Vec<i64>, Neutral),
}

/// The number that an attribute has for a dimension that the operator does not affect.
#[derive(Clone, Copy, PartialEq)]
#[allow(missing_docs)]
pub enum Neutral {
    Value(i64),
    /// The size of the first tensor along the dimension.
    Size,
}

/// The way in which tensors get the number of dimensions that the operator takes.
#[derive(Clone, Copy, PartialEq)]
enum Fit {
    /// All tensors have the same rank: adjacent dimensions are joined, or dimensions of size 1 are added in front.
    Aligned,
    /// Every tensor gets dimensions of size 1 in front until all have the same rank: the largest rank among them, or
    /// the smallest rank that the operator takes, if that is larger. An axis is a dimension of the first tensor.
    Leading,
    /// The dimensions must already fit.
    Exact,
}

/// An unfinished call.
pub struct Call<'l, 'a> {
    lowering: &'l mut Lowering<'a>,
    operator: &'static str,
    slots: Vec<Slot>,
    settings: Vec<(&'static str, Setting)>,
    kept: Vec<usize>,
    fit: Fit,
}

impl<'a> Lowering<'a> {
    /// Starts a call of an operator.
    pub fn call(&mut self, operator: &'static str) -> Call<'_, 'a> {
        Call::new(self, operator)
    }
}

impl<'l, 'a> Call<'l, 'a> {
    fn new(lowering: &'l mut Lowering<'a>, operator: &'static str) -> Call<'l, 'a> {
        Call { lowering, operator, slots: Vec::new(), settings: Vec::new(), kept: Vec::new(), fit: Fit::Aligned }
    }

    /// Adds an input tensor.
    pub fn read(mut self, field: &'static str, view: &View) -> Self {
        let View { wire, data_type, sizes, strides } = view.clone();
        self.slots.push(Slot { field, wire: Some(wire), data_type, sizes, strides });
        self
    }

    /// Adds an input tensor, or leaves it out if it is `None`.
    pub fn optional(self, field: &'static str, view: Option<&View>) -> Self {
        match view {
            Some(view) => self.read(field, view),
            None => self,
        }
    }

    /// Adds an output tensor.
    pub fn write(mut self, field: &'static str, data_type: TensorDataType, sizes: &[u32]) -> Self {
        self.slots.push(Slot { field, wire: None, data_type, sizes: sizes.to_vec(), strides: packed(sizes) });
        self
    }

    /// Sets an attribute that does not depend on the dimensions.
    pub fn set(self, field: &'static str, given: impl Into<Given>) -> Self {
        self.setting(field, Setting::Given(given.into()))
    }

    /// Sets an attribute that is an axis.
    pub fn axis(self, field: &'static str, axis: usize) -> Self {
        self.setting(field, Setting::Axis(axis))
    }

    /// Sets an attribute that is a list of axes.
    pub fn axes(self, field: &'static str, axes: &[usize]) -> Self {
        self.setting(field, Setting::Axes(axes.to_vec()))
    }

    /// Sets an attribute that has a number for each dimension.
    pub fn along(self, field: &'static str, values: impl Into<Vec<i64>>, neutral: Neutral) -> Self {
        self.setting(field, Setting::Along(values.into(), neutral))
    }

    fn setting(mut self, field: &'static str, setting: Setting) -> Self {
        self.settings.push((field, setting));
        self
    }

    /// Marks dimensions that have a meaning for the operator, so that they are only joined with dimensions of size 1.
    pub fn keep(mut self, dimensions: impl IntoIterator<Item = usize>) -> Self {
        self.kept.extend(dimensions);
        self
    }

    /// Allows tensors of different ranks, which get dimensions of size 1 in front.
    pub fn leading(mut self) -> Self {
        self.fit = Fit::Leading;
        self
    }

    /// Leaves all dimensions as they are.
    pub fn exact(mut self) -> Self {
        self.fit = Fit::Exact;
        self
    }

    /// Adds the node to the graph, and returns its outputs with the sizes that the caller asked for.
    pub fn all(mut self) -> Result<Vec<View>, LoweringError> {
        let level = self.lowering.level();
        let operator = DirectMl::embedded().find(self.operator);
        let operator = operator.map_err(|error| Refusal::failed(error.to_string()))?;
        let asked: Vec<(TensorDataType, Vec<u32>)> =
            self.slots.iter().filter(|s| s.wire.is_none()).map(|s| (s.data_type, s.sizes.clone())).collect();
        let block = self.block(operator, level);
        let counts = block.map_or((1, 8), |block| counts(block, &self.slots));
        match self.fit {
            Fit::Aligned => self.align(counts)?,
            Fit::Leading => self.lead(counts.0),
            Fit::Exact => {}
        }
        let mut builder = OperatorDescription::new(self.operator);
        for slot in &self.slots {
            builder = builder.tensor(slot.field, described(slot.data_type, &slot.sizes, &slot.strides));
        }
        for (field, setting) in &self.settings {
            builder = builder.attribute(field, setting.given());
        }
        let description = builder.build()?;
        if let Some(obstacle) = obstacle(&description, level) {
            return Err(Unsupported { obstacle, description: Some(Box::new(description)) }.into());
        }
        let mut node = self.lowering.graph.node(self.operator);
        for slot in &self.slots {
            let tensor = described(slot.data_type, &slot.sizes, &slot.strides);
            node = match slot.wire {
                Some(wire) => node.input(slot.field, wire, tensor),
                None => node.output(slot.field, tensor),
            };
        }
        for (field, setting) in &self.settings {
            node = node.attribute(field, setting.given());
        }
        let wires = node.add_outputs()?;
        let written: Vec<usize> =
            description.outputs().iter().enumerate().filter_map(|(at, t)| t.map(|_| at)).collect();
        let views = asked.into_iter().zip(written);
        Ok(views.map(|((data_type, sizes), at)| View::packed(wires[at], data_type, &sizes)).collect())
    }

    /// Adds the node to the graph, and returns its first output.
    pub fn one(self) -> Result<View, LoweringError> {
        let operator = self.operator;
        let view = self.all()?.into_iter().next();
        view.ok_or_else(|| {
            Refusal::failed(format!("the lowering reads an output of {operator}, but the call has no output")).into()
        })
    }

    fn block(&self, operator: &'static Operator, level: FeatureLevel) -> Option<&'static SupportBlock> {
        let function = self.settings.iter().find_map(|(field, setting)| match setting {
            Setting::Given(Given::Name(name)) if *field == "Function" => Some(format!("DML_REDUCE_FUNCTION_{name}")),
            _ => None,
        });
        let table = operator.table(function.as_deref())?;
        table.at(level).or(table.blocks.last())
    }

    /// Joins adjacent dimensions, as far as possible, until there are at most `most`, and adds dimensions of size 1 in
    /// front until there are at least `fewest`.
    fn align(&mut self, (fewest, most): (usize, usize)) -> Result<(), LoweringError> {
        let rank = self.slots.first().map_or(0, |slot| slot.sizes.len());
        if self.slots.iter().any(|slot| slot.sizes.len() != rank) {
            return Err(Refusal::failed(format!("{}: its tensors have different ranks", self.operator)).into());
        }
        let mut free: Vec<bool> = (0..rank).map(|d| self.is_free(d)).collect();
        let mut groups: Vec<Vec<usize>> = (0..rank).map(|d| vec![d]).collect();
        while groups.len() > most {
            let Some(at) = (0..groups.len() - 1).find(|&d| self.joins(d, &free)) else { break };
            let next = groups.remove(at + 1);
            groups[at].extend(next);
            free[at] &= free.remove(at + 1);
            for slot in &mut self.slots {
                let (size, stride) = (slot.sizes.remove(at + 1), slot.strides.remove(at + 1));
                slot.strides[at] = if size == 1 { slot.strides[at] } else { stride };
                slot.sizes[at] = slot.sizes[at].saturating_mul(size);
            }
        }
        let front = fewest.saturating_sub(groups.len());
        self.slots.iter_mut().for_each(|slot| slot.lead(front));
        for (_, setting) in &mut self.settings {
            setting.follow(&groups, front);
        }
        Ok(())
    }

    /// Returns whether the call does nothing along a dimension, so that the dimension may be joined with others: it is
    /// neither an axis nor in `kept`, the attributes are neutral for it, and all tensors have the same size along it.
    fn is_free(&self, d: usize) -> bool {
        let size = self.slots.first().map_or(1, |slot| slot.sizes[d]);
        let same = self.slots.iter().all(|slot| slot.sizes[d] == size);
        let quiet = self.settings.iter().all(|(_, setting)| match setting {
            Setting::Given(_) => true,
            Setting::Axis(axis) => *axis != d,
            Setting::Axes(axes) => !axes.contains(&d),
            Setting::Along(values, Neutral::Value(neutral)) => values[d] == *neutral,
            Setting::Along(values, Neutral::Size) => values[d] == i64::from(size),
        });
        same && quiet && !self.kept.contains(&d)
    }

    /// Returns whether a dimension and the next one can be joined.
    fn joins(&self, d: usize, free: &[bool]) -> bool {
        let trivial = |d: usize| free[d] && self.slots.iter().all(|slot| slot.sizes[d] == 1);
        let even = |slot: &Slot| {
            let [size, next] = [slot.sizes[d], slot.sizes[d + 1]];
            size == 1 || next == 1 || slot.strides[d] == slot.strides[d + 1].saturating_mul(next)
        };
        trivial(d) || trivial(d + 1) || free[d] && free[d + 1] && self.slots.iter().all(even)
    }

    fn lead(&mut self, fewest: usize) {
        let rank = self.slots.iter().map(|slot| slot.sizes.len()).max().unwrap_or(0).max(fewest);
        let front = rank - self.slots.first().map_or(0, |slot| slot.sizes.len());
        for slot in &mut self.slots {
            slot.lead(rank - slot.sizes.len());
        }
        for (_, setting) in &mut self.settings {
            if let Setting::Axis(axis) = setting {
                *axis += front;
            }
        }
    }
}

impl Slot {
    fn lead(&mut self, front: usize) {
        let stride = self.sizes.first().zip(self.strides.first()).map_or(1, |(&n, &stride)| n.saturating_mul(stride));
        self.sizes.splice(..0, std::iter::repeat_n(1, front));
        self.strides.splice(..0, std::iter::repeat_n(stride, front));
    }
}

impl Setting {
    fn given(&self) -> Given {
        match self {
            Setting::Given(given) => given.clone(),
            Setting::Axis(axis) => (*axis).into(),
            Setting::Axes(axes) => axes.clone().into(),
            Setting::Along(values, _) => values.clone().into(),
        }
    }

    /// Adjusts the attribute after dimensions were joined into `groups`, and `front` dimensions were added before them.
    fn follow(&mut self, groups: &[Vec<usize>], front: usize) {
        let place = |axis: usize| groups.iter().position(|group| group.contains(&axis)).unwrap_or(axis) + front;
        match self {
            Setting::Given(_) => {}
            Setting::Axis(axis) => *axis = place(*axis),
            Setting::Axes(axes) => axes.iter_mut().for_each(|axis| *axis = place(*axis)),
            Setting::Along(values, neutral) => {
                let neutral = *neutral;
                let joined = groups.iter().map(|group| match neutral {
                    Neutral::Size => group.iter().map(|&d| values[d]).product(),
                    Neutral::Value(v) => group.iter().map(|&d| values[d]).find(|value| *value != v).unwrap_or(v),
                });
                let quiet = if let Neutral::Value(v) = neutral { v } else { 1 };
                *values = std::iter::repeat_n(quiet, front).chain(joined).collect();
            }
        }
    }
}

/// Returns the smallest and the largest number of dimensions that all tensors of a call may have.
fn counts(block: &SupportBlock, slots: &[Slot]) -> (usize, usize) {
    let rows = || slots.iter().filter_map(|slot| block.row(slot.field)).map(|row| row.dimension_counts);
    let fewest = rows().map(|counts| counts.min).max().unwrap_or(1);
    (fewest as usize, rows().map(|counts| counts.max).min().unwrap_or(8) as usize)
}

/// Returns the first obstacle in a description: something that the level does not support, or tensors whose types must
/// be equal and are not.
fn obstacle(description: &OperatorDescription, level: FeatureLevel) -> Option<Obstacle> {
    let (known, operator) = (description.operator(), description.name());
    if known.introduced > level {
        return Some(Obstacle::Level { operator, level, from: known.introduced });
    }
    let enumeration = |value: u32, name: &str| DirectMl::embedded().enumeration(name)?.value(value);
    for (field, value) in description.fields() {
        let Some(name) = field.enumeration().filter(|name| *name != "DML_TENSOR_DATA_TYPE") else { continue };
        let FieldValue::Attribute(crate::Attribute::Uint(number)) = value else { continue };
        if let Some(found) = enumeration(*number, name).filter(|found| found.introduced > level) {
            let (field, value) = (field.name.as_str(), found.name.as_str());
            return Some(Obstacle::Enumeration { operator, field, value, level, from: found.introduced });
        }
    }
    let function = description.uint("Function").and_then(|number| enumeration(number, "DML_REDUCE_FUNCTION"));
    let table = known.table(function.map(|function| function.name.as_str()))?;
    let Some(block) = table.at(level) else {
        let from = table.steps().next().map_or(FeatureLevel::LAST, |(from, _)| from);
        return Some(Obstacle::Level { operator, level, from });
    };
    for (field, value) in description.fields().filter(|(field, _)| field.is_tensor()) {
        let (field, Some(row)) = (field.name.as_str(), block.row(&field.name)) else { continue };
        let tensors: &[TensorDescription] = match value {
            FieldValue::Tensor(tensor) => std::slice::from_ref(tensor),
            FieldValue::Tensors(tensors) => tensors,
            _ if !row.optional => {
                let from = table.first_level_where(field, |row| row.optional);
                return Some(Obstacle::Missing { operator, field, level, from });
            }
            _ => continue,
        };
        for tensor in tensors {
            let (found, allowed) = (tensor.data_type, row.data_types.clone().unwrap_or_default());
            if row.allows(found) == Some(false) {
                let from = table.first_level_with(field, found);
                return Some(Obstacle::DataType { operator, field, found, allowed, level, from });
            }
            let (found, allowed) = (tensor.dimension_count(), row.dimension_counts);
            if !allowed.contains(found) {
                let from = table.first_level_with_dimension_count(field, found);
                return Some(Obstacle::DimensionCount { operator, field, found, allowed, level, from });
            }
        }
    }
    known.tensor_constraints.iter().filter(|rule| rule.same.contains(&Property::DataType)).find_map(|rule| {
        let fields = rule.tensors.iter().map(String::as_str).collect::<Vec<&'static str>>();
        let found = fields.iter().flat_map(|field| description.tensors(field)).map(|t| t.data_type);
        let found = found.collect::<Vec<_>>();
        let mixed = found.windows(2).any(|pair| pair[0] != pair[1]);
        mixed.then_some(Obstacle::Mixed { operator, fields, found })
    })
}
