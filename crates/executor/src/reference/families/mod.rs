//! Meanings that several operators share; each operator's own file stays the place where its rules are named.

pub mod loss;
pub mod normalization;
pub mod optimizer;
pub mod recurrent;

pub mod activation;
pub mod binary;
pub mod cast;
pub mod convolution;
pub mod extremum;
pub mod heads;
pub mod iteration;
pub mod masks;
pub mod matmul;
pub mod norm;
pub mod pooling;
pub mod predicate;
pub mod product;
pub mod quantize;
pub mod quantized_convolution;
pub mod reduce;
pub mod rounding;
pub mod scan;
pub mod scatter;
pub mod scores;
pub mod select;
pub mod sequence;
pub mod softmax;
pub mod spatial;
pub mod subscripts;
pub mod traditional;
pub mod windows;
