//! Tensors in buffers of bytes.

use bytemuck::Pod;

use crate::Refusal;
use crate::cpu::view::{View, ViewMut};
use crate::directml::tensor::TensorDescription;
use crate::directml::validate::Binding;

/// Buffers, and what is bound to an operator.
pub struct Memory<'a> {
    /// Every buffer.
    pub buffers: &'a [Vec<u8>],
    /// What the operator reads.
    pub inputs: &'a [Option<Binding>],
    /// What it writes.
    pub outputs: &'a [Option<Binding>],
}

/// Elements of a tensor, copied out of their buffer, gaps between them included.
pub struct Elements<T> {
    data: Vec<T>,
    sizes: Vec<usize>,
    strides: Vec<usize>,
}

impl Memory<'_> {
    /// The tensor that the operator reads at this place.
    pub fn input<T: Pod>(&self, at: usize, tensor: &TensorDescription) -> Result<Elements<T>, Refusal> {
        self.elements(self.inputs.get(at), tensor)
    }

    /// What lies where the operator writes.
    pub fn output<T: Pod>(&self, at: usize, tensor: &TensorDescription) -> Result<Elements<T>, Refusal> {
        self.elements(self.outputs.get(at), tensor)
    }

    fn elements<T: Pod>(
        &self,
        bound: Option<&Option<Binding>>,
        tensor: &TensorDescription,
    ) -> Result<Elements<T>, Refusal> {
        let missing = || Refusal::failed("nothing is bound");
        if tensor.data_type.bits() != Some(8 * size_of::<T>() as u32) {
            return Err(Refusal::unsupported(format!("no kernel for {} here", tensor.data_type)));
        }
        let binding = bound.copied().flatten().ok_or_else(missing)?;
        let start = usize::try_from(binding.offset).map_err(|_| missing())?;
        let strides: Vec<usize> = tensor.effective_strides().into_iter().map(|stride| stride as usize).collect();
        let sizes: Vec<usize> = tensor.sizes.iter().map(|&size| size as usize).collect();
        // Validation has seen that this does not overflow, and that it is bound.
        let last: usize = sizes.iter().zip(&strides).map(|(&size, &stride)| (size - 1) * stride).sum();
        let bytes = self.buffers[binding.buffer].get(start..start + (last + 1) * size_of::<T>()).ok_or_else(missing)?;
        let mut data: Vec<T> = bytemuck::zeroed_vec(last + 1);
        bytemuck::cast_slice_mut(&mut data).copy_from_slice(bytes);
        Ok(Elements { data, sizes, strides })
    }
}

impl<T: Pod> Elements<T> {
    /// To read.
    pub fn view(&self) -> Result<View<'_, T>, Refusal> {
        let strides: Vec<isize> = self.strides.iter().map(|&stride| stride as isize).collect();
        View::new(&self.data, 0, &self.sizes, &strides).map_err(|error| Refusal::failed(error.to_string()))
    }

    /// To write.
    pub fn view_mut(&mut self) -> Result<ViewMut<'_, T>, Refusal> {
        ViewMut::new(&mut self.data, &self.sizes, &self.strides)
            .map_err(|error| Refusal::unsupported(error.to_string()))
    }

    /// The bytes, as they go back.
    pub fn into_bytes(self) -> Vec<u8> {
        bytemuck::cast_slice(&self.data).to_vec()
    }
}
