//! Kernels: they read and write [views](super::view), and know no ONNX.

pub mod convolution;
pub mod copy;
pub mod fold;
pub mod lanes;
pub mod map;
pub mod pick;
pub mod product;
pub mod reduce;
pub mod row;
pub mod scatter;
pub mod windows;
