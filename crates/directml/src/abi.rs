//! The structs of `DirectML.h` up to feature level 6_4, with the memory layout that C gives them. They are plain data
//! and exist on every platform.
//!
//! `cargo xtask generate` reads `specs/directml` and writes [`element_wise`] and [`other`], which hold the description
//! struct of each operator. A test compiles `DirectML.h` with a C++ compiler and compares every struct here with the
//! header's. The names of structs and fields are DirectML's own. A null pointer stands for an optional field that is
//! left out.

#![allow(
    non_camel_case_types,
    non_snake_case,
    missing_docs,
    reason = "names are those of DirectML.h, which documents them"
)]

use std::ffi::{c_char, c_void};

pub mod element_wise;
pub mod other;

/// The memory layout of a struct, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The struct's name in `DirectML.h`.
    pub name: &'static str,
    /// The struct's size in bytes.
    pub size: usize,
    /// The struct's alignment in bytes.
    pub align: usize,
    /// The name, offset and size of each field, in the order of declaration.
    pub fields: &'static [(&'static str, usize, usize)],
}

/// Declares structs with the layout that C gives them, and the constant `LAYOUTS`, which describes that layout.
macro_rules! structs {
    ($($name:ident { $($field:ident: $type:ty),* $(,)? })*) => {
        $(
            #[repr(C)]
            #[derive(Clone, Copy)]
            pub struct $name { $(pub $field: $type,)* }
        )*

        /// The layouts of all structs of this module, in the order of declaration.
        pub const LAYOUTS: &[Layout] = &[$(Layout {
            name: stringify!($name),
            size: size_of::<$name>(),
            align: align_of::<$name>(),
            fields: &[$((stringify!($field), std::mem::offset_of!($name, $field), size_of::<$type>())),*],
        }),*];
    };
}
use structs;

/// All values of `DML_FEATURE_LEVEL`, ascending.
pub const FEATURE_LEVELS: [Enum; 15] = [
    0x1000, 0x2000, 0x2100, 0x3000, 0x3100, 0x4000, 0x4100, 0x5000, 0x5100, 0x5200, 0x6000, 0x6100, 0x6200, 0x6300,
    0x6400,
];

/// `BOOL`: 0 is false.
pub type Bool = i32;
/// A value of an enumeration, as a number.
pub type Enum = u32;
/// A pointer to a COM object of DirectML or Direct3D.
pub type Object = *mut c_void;
pub type Tensor = *const DML_TENSOR_DESC;
pub type Operator = *const DML_OPERATOR_DESC;
pub type ScaleBias = *const DML_SCALE_BIAS;
pub type Uints = *const u32;
pub type Ints = *const i32;
pub type Floats = *const f32;
pub type Size2d = DML_SIZE_2D;
pub type Scalar = DML_SCALAR_UNION;

/// One number. Another field of the operator gives the number's element type.
#[repr(C)]
#[derive(Clone, Copy)]
pub union DML_SCALAR_UNION {
    pub Bytes: [u8; 8],
    pub Int8: i8,
    pub UInt8: u8,
    pub Int16: i16,
    pub UInt16: u16,
    pub Int32: i32,
    pub UInt32: u32,
    pub Int64: i64,
    pub UInt64: u64,
    pub Float32: f32,
    pub Float64: f64,
}

structs! {
    DML_BUFFER_TENSOR_DESC {
        DataType: Enum, Flags: Enum, DimensionCount: u32, Sizes: Uints, Strides: Uints,
        TotalTensorSizeInBytes: u64, GuaranteedBaseOffsetAlignment: u32,
    }
    DML_TENSOR_DESC { Type: Enum, Desc: *const c_void }
    DML_OPERATOR_DESC { Type: Enum, Desc: *const c_void }
    DML_SCALE_BIAS { Scale: f32, Bias: f32 }
    DML_SIZE_2D { Width: u32, Height: u32 }

    DML_FEATURE_QUERY_TENSOR_DATA_TYPE_SUPPORT { DataType: Enum }
    DML_FEATURE_DATA_TENSOR_DATA_TYPE_SUPPORT { IsSupported: Bool }
    DML_FEATURE_QUERY_FEATURE_LEVELS { RequestedFeatureLevelCount: u32, RequestedFeatureLevels: *const Enum }
    DML_FEATURE_DATA_FEATURE_LEVELS { MaxSupportedFeatureLevel: Enum }

    DML_BINDING_TABLE_DESC {
        Dispatchable: Object, CPUDescriptorHandle: usize, GPUDescriptorHandle: u64, SizeInDescriptors: u32,
    }
    DML_BINDING_PROPERTIES { RequiredDescriptorCount: u32, TemporaryResourceSize: u64, PersistentResourceSize: u64 }
    DML_BINDING_DESC { Type: Enum, Desc: *const c_void }
    DML_BUFFER_BINDING { Buffer: Object, Offset: u64, SizeInBytes: u64 }
    DML_BUFFER_ARRAY_BINDING { BindingCount: u32, Bindings: *const DML_BUFFER_BINDING }

    DML_GRAPH_EDGE_DESC { Type: Enum, Desc: *const c_void }
    DML_INPUT_GRAPH_EDGE_DESC {
        GraphInputIndex: u32, ToNodeIndex: u32, ToNodeInputIndex: u32, Name: *const c_char,
    }
    DML_OUTPUT_GRAPH_EDGE_DESC {
        FromNodeIndex: u32, FromNodeOutputIndex: u32, GraphOutputIndex: u32, Name: *const c_char,
    }
    DML_INTERMEDIATE_GRAPH_EDGE_DESC {
        FromNodeIndex: u32, FromNodeOutputIndex: u32, ToNodeIndex: u32, ToNodeInputIndex: u32, Name: *const c_char,
    }
    DML_GRAPH_NODE_DESC { Type: Enum, Desc: *const c_void }
    DML_OPERATOR_GRAPH_NODE_DESC { Operator: Object, Name: *const c_char }
    DML_CONSTANT_DATA_GRAPH_NODE_DESC { Data: *const c_void, DataSize: usize, Name: *const c_char }
    DML_GRAPH_DESC {
        InputCount: u32, OutputCount: u32, NodeCount: u32, Nodes: *const DML_GRAPH_NODE_DESC,
        InputEdgeCount: u32, InputEdges: *const DML_GRAPH_EDGE_DESC,
        OutputEdgeCount: u32, OutputEdges: *const DML_GRAPH_EDGE_DESC,
        IntermediateEdgeCount: u32, IntermediateEdges: *const DML_GRAPH_EDGE_DESC,
    }
}

/// Iterates over the layouts of all of DirectML's structs.
pub fn layouts() -> impl Iterator<Item = &'static Layout> {
    LAYOUTS.iter().chain(element_wise::LAYOUTS).chain(other::LAYOUTS)
}

/// Returns the layout of the struct with this name (such as `DML_GEMM_OPERATOR_DESC`).
pub fn layout(name: &str) -> Option<&'static Layout> {
    layouts().find(|layout| layout.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_those_of_the_specification() {
        use plumbline_spec::directml::FeatureLevel;
        assert_eq!(FEATURE_LEVELS, FeatureLevel::ALL.map(FeatureLevel::value));
    }

    #[test]
    fn sizes_are_those_of_a_64_bit_machine() {
        let known = [
            ("DML_BUFFER_TENSOR_DESC", 48),
            ("DML_TENSOR_DESC", 16),
            ("DML_OPERATOR_DESC", 16),
            ("DML_BINDING_PROPERTIES", 24),
            ("DML_BUFFER_BINDING", 24),
            ("DML_ELEMENT_WISE_MIN_OPERATOR_DESC", 24),
            ("DML_CONVOLUTION_OPERATOR_DESC", 104),
            ("DML_GEMM_OPERATOR_DESC", 56),
            ("DML_MULTIHEAD_ATTENTION1_OPERATOR_DESC", 144),
        ];
        for (name, size) in known {
            assert_eq!(layout(name).map(|l| l.size), Some(size), "{name}");
        }
        assert_eq!(size_of::<DML_SCALAR_UNION>(), 8);
    }
}
