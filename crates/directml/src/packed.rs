//! An operator's description in DirectML's memory layout, with everything that it points to.

use std::ffi::c_void;

use super::abi::{self, DML_BUFFER_TENSOR_DESC, DML_OPERATOR_DESC, DML_SCALE_BIAS, DML_TENSOR_DESC, Layout};

/// `DML_TENSOR_TYPE_BUFFER`.
const TENSOR_TYPE_BUFFER: u32 = 1;

/// A tensor's description, with the numbers of `DirectML.h`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawTensor {
    /// `DML_TENSOR_DATA_TYPE`.
    pub data_type: u32,
    /// `DML_TENSOR_FLAGS`.
    pub flags: u32,
    /// The size of each dimension.
    pub sizes: Vec<u32>,
    /// The strides in elements; `None` for a packed tensor.
    pub strides: Option<Vec<u32>>,
    /// The tensor's size in bytes.
    pub total_size_in_bytes: u64,
    /// The alignment that is guaranteed for the offset of the tensor's binding; 0 for no guarantee.
    pub guaranteed_base_offset_alignment: u32,
}

/// Memory that a description points to. It is in vectors, whose elements do not move when the vector is moved.
enum Kept {
    Uints(Vec<u32>),
    Ints(Vec<i32>),
    Floats(Vec<f32>),
    ScaleBias(Vec<DML_SCALE_BIAS>),
    Buffers(Vec<DML_BUFFER_TENSOR_DESC>),
    Tensors(Vec<DML_TENSOR_DESC>),
    Operators(Vec<DML_OPERATOR_DESC>),
    Packed(Vec<Packed>),
}

impl Kept {
    fn address(&self) -> *const c_void {
        match self {
            Kept::Uints(values) => values.as_ptr().cast(),
            Kept::Ints(values) => values.as_ptr().cast(),
            Kept::Floats(values) => values.as_ptr().cast(),
            Kept::ScaleBias(values) => values.as_ptr().cast(),
            Kept::Buffers(values) => values.as_ptr().cast(),
            Kept::Tensors(values) => values.as_ptr().cast(),
            Kept::Operators(values) => values.as_ptr().cast(),
            Kept::Packed(values) => values.as_ptr().cast(),
        }
    }
}

/// The reason why a description cannot be packed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PackError {
    /// No struct has this name.
    #[error("DirectML has no struct {0}")]
    Struct(String),
    /// The struct has no such field.
    #[error("{0} has no field {1}")]
    Field(&'static str, String),
    /// The field takes another number of bytes.
    #[error("{0}.{1} takes {2} bytes, but {3} were given")]
    Size(&'static str, String, usize, usize),
}

/// A `DML_OPERATOR_DESC` with everything that it points to, built one field at a time. Fields that are not set are zero
/// or null.
pub struct Packed {
    operator_type: u32,
    layout: &'static Layout,
    /// The bytes of the struct. They are stored as words for the alignment.
    words: Vec<u64>,
    kept: Vec<Kept>,
}

impl Packed {
    /// Creates an empty description of an operator, given its number in `DML_OPERATOR_TYPE` and the name of its struct
    /// (such as `DML_GEMM_OPERATOR_DESC`).
    ///
    /// # Errors
    /// No struct has this name.
    pub fn new(operator_type: u32, desc_struct: &str) -> Result<Packed, PackError> {
        let layout = abi::layout(desc_struct).ok_or_else(|| PackError::Struct(desc_struct.to_owned()))?;
        Ok(Packed { operator_type, layout, words: vec![0; layout.size.div_ceil(8)], kept: Vec::new() })
    }

    /// Overwrites the bytes of a field.
    fn bytes(&mut self, field: &str, bytes: &[u8]) -> Result<&mut Packed, PackError> {
        let name = self.layout.name;
        let found = self.layout.fields.iter().find(|(known, ..)| *known == field);
        let &(_, offset, size) = found.ok_or_else(|| PackError::Field(name, field.to_owned()))?;
        if size != bytes.len() {
            return Err(PackError::Size(name, field.to_owned(), size, bytes.len()));
        }
        for (at, byte) in (offset..).zip(bytes) {
            let word = &mut self.words[at / 8];
            let mut parts = word.to_ne_bytes();
            parts[at % 8] = *byte;
            *word = u64::from_ne_bytes(parts);
        }
        Ok(self)
    }

    /// Sets a field to the address of `kept`, and keeps that memory alive.
    fn pointer(&mut self, field: &str, kept: Kept) -> Result<&mut Packed, PackError> {
        // Only DirectML turns the address into a pointer again.
        let address = kept.address().expose_provenance();
        self.kept.push(kept);
        self.bytes(field, &address.to_ne_bytes())
    }

    /// Sets a `UINT`, an enumeration, or a `BOOL` as 0 or 1.
    ///
    /// # Errors
    /// The struct has no such field, or the field has another size. The other setters have the same errors.
    pub fn uint(&mut self, field: &str, value: u32) -> Result<&mut Packed, PackError> {
        self.bytes(field, &value.to_ne_bytes())
    }

    /// Sets an `INT`.
    pub fn int(&mut self, field: &str, value: i32) -> Result<&mut Packed, PackError> {
        self.bytes(field, &value.to_ne_bytes())
    }

    /// Sets a `FLOAT`.
    pub fn float(&mut self, field: &str, value: f32) -> Result<&mut Packed, PackError> {
        self.bytes(field, &value.to_ne_bytes())
    }

    /// Sets a `DML_SCALAR_UNION` to these bytes.
    pub fn scalar(&mut self, field: &str, bytes: [u8; 8]) -> Result<&mut Packed, PackError> {
        self.bytes(field, &bytes)
    }

    /// Sets a `DML_SIZE_2D`.
    pub fn size_2d(&mut self, field: &str, width: u32, height: u32) -> Result<&mut Packed, PackError> {
        self.bytes(field, &[width.to_ne_bytes(), height.to_ne_bytes()].concat())
    }

    /// Sets a pointer to a `DML_SCALE_BIAS`.
    pub fn scale_bias(&mut self, field: &str, scale: f32, bias: f32) -> Result<&mut Packed, PackError> {
        self.pointer(field, Kept::ScaleBias(vec![DML_SCALE_BIAS { Scale: scale, Bias: bias }]))
    }

    /// Sets a pointer to an array of `UINT`. Another field holds its length.
    pub fn uints(&mut self, field: &str, values: &[u32]) -> Result<&mut Packed, PackError> {
        self.pointer(field, Kept::Uints(values.to_vec()))
    }

    /// Sets a pointer to an array of `INT`. Another field holds its length.
    pub fn ints(&mut self, field: &str, values: &[i32]) -> Result<&mut Packed, PackError> {
        self.pointer(field, Kept::Ints(values.to_vec()))
    }

    /// Sets a pointer to an array of `FLOAT`. Another field holds its length.
    pub fn floats(&mut self, field: &str, values: &[f32]) -> Result<&mut Packed, PackError> {
        self.pointer(field, Kept::Floats(values.to_vec()))
    }

    /// Sets a pointer to the description of a tensor, or to an array of them.
    pub fn tensors(&mut self, field: &str, tensors: &[RawTensor]) -> Result<&mut Packed, PackError> {
        let mut buffers = Vec::with_capacity(tensors.len());
        for tensor in tensors {
            let sizes = Kept::Uints(tensor.sizes.clone());
            let strides = tensor.strides.clone().map(Kept::Uints);
            buffers.push(DML_BUFFER_TENSOR_DESC {
                DataType: tensor.data_type,
                Flags: tensor.flags,
                DimensionCount: u32::try_from(tensor.sizes.len()).unwrap_or(u32::MAX),
                Sizes: sizes.address().cast(),
                Strides: strides.as_ref().map_or(std::ptr::null(), |strides| strides.address().cast()),
                TotalTensorSizeInBytes: tensor.total_size_in_bytes,
                GuaranteedBaseOffsetAlignment: tensor.guaranteed_base_offset_alignment,
            });
            self.kept.push(sizes);
            self.kept.extend(strides);
        }
        let point = |buffer: &DML_BUFFER_TENSOR_DESC| DML_TENSOR_DESC {
            Type: TENSOR_TYPE_BUFFER,
            Desc: std::ptr::from_ref(buffer).cast(),
        };
        let descs = buffers.iter().map(point).collect();
        self.kept.push(Kept::Buffers(buffers));
        self.pointer(field, Kept::Tensors(descs))
    }

    /// Sets a pointer to the description of another operator, or to an array of them.
    pub fn operators(&mut self, field: &str, operators: Vec<Packed>) -> Result<&mut Packed, PackError> {
        let descs = operators.iter().map(Packed::desc).collect();
        self.kept.push(Kept::Packed(operators));
        self.pointer(field, Kept::Operators(descs))
    }

    /// Returns the description. It points into `self`, so it is valid only as long as `self` is.
    pub fn desc(&self) -> DML_OPERATOR_DESC {
        DML_OPERATOR_DESC { Type: self.operator_type, Desc: self.words.as_ptr().cast() }
    }

    /// Returns the struct's name.
    pub fn name(&self) -> &'static str {
        self.layout.name
    }
}

#[cfg(test)]
#[allow(unsafe_code, reason = "reads what is pointed to, as DirectML does")]
mod tests {
    use super::super::abi::element_wise::DML_ACTIVATION_ELU_OPERATOR_DESC;
    use super::super::abi::other::DML_GEMM_OPERATOR_DESC;
    use super::*;

    fn tensor(sizes: &[u32], strides: Option<&[u32]>) -> RawTensor {
        RawTensor {
            data_type: 1,
            flags: 0,
            sizes: sizes.to_vec(),
            strides: strides.map(<[u32]>::to_vec),
            total_size_in_bytes: 24,
            guaranteed_base_offset_alignment: 16,
        }
    }

    #[test]
    fn a_packed_description_has_the_memory_layout_of_its_struct() {
        let mut elu = Packed::new(35, "DML_ACTIVATION_ELU_OPERATOR_DESC").unwrap();
        elu.float("Alpha", 0.5).unwrap();
        let mut gemm = Packed::new(54, "DML_GEMM_OPERATOR_DESC").unwrap();
        gemm.tensors("ATensor", &[tensor(&[1, 1, 2, 3], None)]).unwrap();
        gemm.tensors("BTensor", &[tensor(&[1, 1, 3, 2], Some(&[0, 0, 1, 3]))]).unwrap();
        gemm.uint("TransB", 1).unwrap().float("Alpha", 2.0).unwrap();
        gemm.operators("FusedActivation", vec![elu]).unwrap();
        // A description may be moved without invalidating its pointers.
        let gemm = Box::new(gemm);
        assert_eq!(gemm.desc().Type, 54);
        // SAFETY: `gemm` is alive and its words hold this struct; a test of the layouts checks that.
        let seen = unsafe { &*gemm.desc().Desc.cast::<DML_GEMM_OPERATOR_DESC>() };
        assert_eq!((seen.TransA, seen.TransB, seen.Alpha, seen.Beta), (0, 1, 2.0, 0.0));
        assert!(seen.CTensor.is_null() && seen.OutputTensor.is_null());
        // SAFETY: pointers that are not null point to memory that `gemm` keeps alive.
        unsafe {
            let a = &*(*seen.ATensor).Desc.cast::<DML_BUFFER_TENSOR_DESC>();
            assert_eq!(((*seen.ATensor).Type, a.DataType, a.DimensionCount), (1, 1, 4));
            assert_eq!(std::slice::from_raw_parts(a.Sizes, 4), [1, 1, 2, 3]);
            assert!(a.Strides.is_null());
            let b = &*(*seen.BTensor).Desc.cast::<DML_BUFFER_TENSOR_DESC>();
            assert_eq!(std::slice::from_raw_parts(b.Strides, 4), [0, 0, 1, 3]);
            assert_eq!((b.TotalTensorSizeInBytes, b.GuaranteedBaseOffsetAlignment), (24, 16));
            let fused = &*seen.FusedActivation;
            assert_eq!(fused.Type, 35);
            assert_eq!((*fused.Desc.cast::<DML_ACTIVATION_ELU_OPERATOR_DESC>()).Alpha, 0.5);
        }
    }

    #[test]
    fn unknown_fields_and_wrong_sizes_are_errors() {
        let said = |result: Result<&mut Packed, PackError>| result.err().map(|error| error.to_string());
        let mut gemm = Packed::new(54, "DML_GEMM_OPERATOR_DESC").unwrap();
        assert_eq!(said(gemm.uint("Gamma", 1)).unwrap(), "DML_GEMM_OPERATOR_DESC has no field Gamma");
        let wrong = said(gemm.uint("ATensor", 1)).unwrap();
        assert_eq!(wrong, "DML_GEMM_OPERATOR_DESC.ATensor takes 8 bytes, but 4 were given");
        assert_eq!(Packed::new(1, "DML_X").err().unwrap().to_string(), "DirectML has no struct DML_X");
    }
}
