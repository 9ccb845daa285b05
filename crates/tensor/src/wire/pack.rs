//! Packs elements smaller than a byte as ONNX does: the first element takes the lowest bits, and zeros fill the last
//! byte.

use crate::DType;

/// Returns the number of bytes that `count` packed elements take. Returns `None` for strings, and if the number
/// overflows.
pub(crate) fn packed_len(dtype: DType, count: usize) -> Option<usize> {
    match dtype.bits()? {
        width @ 1..8 => {
            // This is count * width / 8 rounded up, without an overflow before the division.
            let width = width as usize;
            Some(count / 8 * width + (count % 8 * width).div_ceil(8))
        }
        _ => count.checked_mul(dtype.size()),
    }
}

/// Packs elements of `width` bits (below 8), given one per byte, into a stream of bits.
pub(super) fn pack(elements: &[u8], width: u32) -> Vec<u8> {
    // Eight elements fill exactly `width` bytes, for every width.
    let mut packed = Vec::with_capacity(elements.len() * width as usize / 8 + width as usize);
    for group in elements.chunks(8) {
        let mask = (1u64 << width) - 1;
        let word = group.iter().rev().fold(0u64, |word, &e| word << width | u64::from(e) & mask);
        packed.extend_from_slice(&word.to_le_bytes()[..(group.len() * width as usize).div_ceil(8)]);
    }
    packed
}

/// Unpacks the first `count` elements of `width` bits (below 8) into one byte each. Elements beyond the end are zero.
pub(crate) fn unpack(bytes: &[u8], width: u32, count: usize) -> Vec<u8> {
    let mut elements = Vec::with_capacity(count);
    for group in bytes.chunks(width as usize) {
        let word = group.iter().rev().fold(0u64, |word, &b| word << 8 | u64::from(b));
        let left = count - elements.len();
        elements.extend((0..left.min(8) as u32).map(|i| (word >> (i * width)) as u8 & ((1 << width) - 1)));
    }
    elements.resize(count, 0);
    elements
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_is_undone_by_unpacking() {
        for width in [2, 4, 6] {
            for count in 0..40 {
                let elements: Vec<u8> = (0..count).map(|i| (i * 37 + 11) as u8 & ((1 << width) - 1)).collect();
                let packed = pack(&elements, width);
                assert_eq!(packed.len(), (count * width as usize).div_ceil(8));
                assert_eq!(unpack(&packed, width, count), elements, "{width} bits, {count} elements");
            }
        }
    }

    #[test]
    fn first_element_in_the_lowest_bits() {
        assert_eq!(pack(&[1, 2, 3], 4), [0x21, 0x03]);
        assert_eq!(pack(&[1, 2, 3, 0, 3], 2), [0b00_11_10_01, 3]);
        // Four 6-bit elements take three bytes.
        assert_eq!(pack(&[1, 2, 3, 0x3f], 6), [0x81, 0x30, 0xfc]);
        assert_eq!(pack(&[0x3f], 6), [0x3f]);
        assert_eq!(pack(&[0, 0x3f], 6), [0xc0, 0x0f]);
    }

    #[test]
    fn lengths_do_not_overflow() {
        assert_eq!(packed_len(DType::Float6e2m3, 5), Some(4));
        assert_eq!(packed_len(DType::Int4, usize::MAX), Some(usize::MAX / 2 + 1));
        assert_eq!(packed_len(DType::Int64, usize::MAX), None);
        assert_eq!(packed_len(DType::String, 1), None);
    }
}
