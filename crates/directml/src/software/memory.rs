//! Reads and writes tensors in buffers of bytes.

use bytemuck::Pod;

use crate::tensor::TensorDescription;
use crate::validate::Binding;
use plumbline_cpu::kernels::fold::offsets;
use plumbline_cpu::view::{View, check_apart, packed};
use plumbline_graph::Refusal;
use plumbline_spec::directml::TensorDataType;

/// Buffers, and the bindings of an operator.
pub struct Memory<'a> {
    /// All buffers.
    pub buffers: &'a [Vec<u8>],
    /// The bindings of the inputs.
    pub inputs: &'a [Option<Binding>],
    /// The bindings of the outputs.
    pub outputs: &'a [Option<Binding>],
}

/// The elements of a tensor, copied out of their buffer with the gaps between them.
pub struct Elements<T> {
    data: Vec<T>,
    sizes: Vec<usize>,
    strides: Vec<usize>,
}

/// Elements in row-major order as bytes, whatever their type.
#[derive(Clone, Debug)]
pub struct Raw {
    /// The number of bytes of an element.
    pub size: usize,
    /// The bytes of all elements.
    pub bytes: Vec<u8>,
}

impl Raw {
    /// Returns `count` elements of `size` bytes whose bits are all 0.
    pub fn zeros(size: usize, count: usize) -> Raw {
        Raw { size, bytes: vec![0; size * count] }
    }

    /// Returns the bytes of an element.
    pub fn at(&self, place: usize) -> &[u8] {
        &self.bytes[place * self.size..][..self.size]
    }

    /// Replaces the bytes of an element.
    pub fn set(&mut self, place: usize, element: &[u8]) {
        self.bytes[place * self.size..][..self.size].copy_from_slice(element);
    }

    /// Returns the elements at these positions.
    pub fn picked(&self, places: &[usize]) -> Raw {
        let mut bytes = Vec::with_capacity(places.len() * self.size);
        places.iter().for_each(|&place| bytes.extend_from_slice(self.at(place)));
        Raw { size: self.size, bytes }
    }
}

/// The bytes from the first element of a tensor to the end of the last one, and where the elements lie in them.
struct Located<'a> {
    bytes: &'a [u8],
    sizes: Vec<usize>,
    strides: Vec<usize>,
}

impl Located<'_> {
    fn is_packed(&self) -> bool {
        self.strides == packed(&self.sizes)
    }
}

impl Memory<'_> {
    /// Returns the elements of the input at this binding index.
    pub fn input<T: Pod>(&self, at: usize, tensor: &TensorDescription) -> Result<Elements<T>, Refusal> {
        let Located { bytes, sizes, strides } = self.located(self.inputs.get(at), tensor, size_of::<T>())?;
        Ok(Elements { data: bytemuck::pod_collect_to_vec(bytes), sizes, strides })
    }

    /// Returns the elements of the input at this binding index in row-major order. Each element must have
    /// `size` bytes.
    pub fn input_bytes(&self, at: usize, tensor: &TensorDescription, size: usize) -> Result<Raw, Refusal> {
        self.raw(self.inputs.get(at), tensor, size)
    }

    /// Returns the elements that the output at this binding index holds now, in row-major order. Each element must have
    /// `size` bytes.
    pub fn output_bytes(&self, at: usize, tensor: &TensorDescription, size: usize) -> Result<Raw, Refusal> {
        self.raw(self.outputs.get(at), tensor, size)
    }

    fn raw(&self, bound: Option<&Option<Binding>>, tensor: &TensorDescription, size: usize) -> Result<Raw, Refusal> {
        let located = self.located(bound, tensor, size)?;
        let there = Raw { size, bytes: located.bytes.to_vec() };
        Ok(if located.is_packed() { there } else { there.picked(&tensor.places()) })
    }

    /// Copies the bytes of the output at this binding index, replaces its elements by these elements (in row-major
    /// order), and returns the copy. Gaps keep their content.
    pub fn with_elements(
        &self,
        at: usize,
        tensor: &TensorDescription,
        (size, elements): (usize, &[u8]),
    ) -> Result<Vec<u8>, Refusal> {
        let located = self.located(self.outputs.get(at), tensor, size)?;
        if located.is_packed() {
            return Ok(elements.to_vec());
        }
        let mut there = Raw { size, bytes: located.bytes.to_vec() };
        check_apart(there.bytes.len() / size, &located.sizes, &located.strides)
            .map_err(|error| Refusal::unsupported(error.to_string()))?;
        tensor.places().into_iter().zip(elements.chunks(size)).for_each(|(place, element)| there.set(place, element));
        Ok(there.bytes)
    }

    fn located(
        &self,
        bound: Option<&Option<Binding>>,
        tensor: &TensorDescription,
        size: usize,
    ) -> Result<Located<'_>, Refusal> {
        let missing = || Refusal::failed("no buffer is bound to the tensor");
        if tensor.data_type.bits() != Some(8 * size as u32) {
            return Err(Refusal::unsupported(format!("this kernel does not support {}", tensor.data_type)));
        }
        let binding = bound.copied().flatten().ok_or_else(missing)?;
        let start = usize::try_from(binding.offset).map_err(|_| missing())?;
        let strides: Vec<usize> = tensor.effective_strides().into_iter().map(|stride| stride as usize).collect();
        let sizes: Vec<usize> = tensor.sizes.iter().map(|&size| size as usize).collect();
        // The position of the last element. Validation has checked that it does not overflow and lies in the binding.
        let last: usize = sizes.iter().zip(&strides).map(|(&size, &stride)| (size - 1) * stride).sum();
        let bytes = self.buffers[binding.buffer].get(start..start + (last + 1) * size).ok_or_else(missing)?;
        Ok(Located { bytes, sizes, strides })
    }
}

/// Returns the positions of all elements of a packed tensor. The last dimension in `order` varies fastest, and the
/// first one slowest.
pub fn places_of(sizes: &[usize], order: &[usize]) -> Vec<usize> {
    let strides = packed(sizes);
    let dims: Vec<(usize, isize)> = order.iter().map(|&d| (sizes[d], strides[d] as isize)).collect();
    offsets(&dims).into_iter().map(|place| place as usize).collect()
}

/// Elements of 4 bits. A byte holds two of them, the earlier one in its low half.
impl Memory<'_> {
    /// Returns the numbers of an input with 4-bit elements.
    pub fn nibbles(&self, at: usize, tensor: &TensorDescription) -> Result<Vec<i8>, Refusal> {
        let (bytes, signed) = (self.bytes(self.inputs.get(at), tensor)?, tensor.data_type == TensorDataType::Int4);
        let number = |place: usize| {
            let nibble = (bytes[place / 2] >> (4 * (place % 2)) & 0xf) as i8;
            if signed && nibble > 7 { nibble - 16 } else { nibble }
        };
        Ok(tensor.places().into_iter().map(number).collect())
    }

    /// Copies the bytes of an output with 4-bit elements, replaces its elements by these numbers, and returns the copy.
    /// Numbers out of range saturate.
    pub fn with_nibbles(&self, at: usize, tensor: &TensorDescription, data: &[f64]) -> Result<Vec<u8>, Refusal> {
        let mut bytes = self.bytes(self.outputs.get(at), tensor)?.to_vec();
        let (least, most) = if tensor.data_type == TensorDataType::Int4 { (-8.0, 7.0) } else { (0.0, 15.0) };
        for (place, x) in tensor.places().into_iter().zip(data) {
            let (nibble, shift) = (x.clamp(least, most) as i8 as u8 & 0xf, 4 * (place % 2));
            bytes[place / 2] = bytes[place / 2] & !(0xf << shift) | nibble << shift;
        }
        Ok(bytes)
    }

    /// Returns all bytes of a tensor.
    fn bytes(&self, bound: Option<&Option<Binding>>, tensor: &TensorDescription) -> Result<&[u8], Refusal> {
        let missing = || Refusal::failed("no buffer is bound to the tensor");
        let binding = bound.copied().flatten().ok_or_else(missing)?;
        let size = tensor.smallest_total_size_in_bytes().ok_or_else(missing)?;
        let start = binding.offset as usize;
        self.buffers[binding.buffer].get(start..start + size as usize).ok_or_else(missing)
    }
}

impl<T: Pod> Elements<T> {
    /// Returns a view for reading.
    pub fn view(&self) -> Result<View<'_, T>, Refusal> {
        let strides: Vec<isize> = self.strides.iter().map(|&stride| stride as isize).collect();
        View::new(&self.data, 0, &self.sizes, &strides).map_err(|error| Refusal::failed(error.to_string()))
    }
}
