//! Kernels: functions that compute on [views](super::view), slices and arrays, and know nothing about ONNX's nodes.

pub mod convolution;
pub mod copy;
pub mod element_wise;
pub mod fold;
pub mod fourier;
pub mod lanes;
pub mod pick;
pub mod product;
pub mod quantize;
pub mod random;
pub mod recurrent;
pub mod reduce;
pub mod regions;
pub mod resample;
pub mod row;
pub mod runs;
pub mod sample;
pub mod scatter;
pub mod total;
mod turn;
pub mod windows;
