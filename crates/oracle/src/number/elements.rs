//! Outcomes for elements of types without numbers: other elements, known by a digest of their bytes.

use std::hash::{DefaultHasher, Hash, Hasher};

use plumbline_tensor::{Data, Tensor};

/// How many elements a list can hold.
const MOST: usize = 8;

/// A list of up to eight elements of a type without numbers (strings, complex numbers).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Elements {
    digests: [u64; MOST],
    count: u8,
}

impl Elements {
    /// Returns a list of one element: element `index` of `tensor`.
    pub fn one(tensor: &Tensor, index: usize) -> Elements {
        let mut digests = [0; MOST];
        digests[0] = digest(bytes_of(tensor, index));
        Elements { digests, count: 1 }
    }

    fn digests(&self) -> &[u64] {
        &self.digests[..usize::from(self.count)]
    }

    /// Returns the number of elements in the list.
    #[allow(clippy::len_without_is_empty, reason = "a list has at least one element")]
    pub fn len(&self) -> usize {
        usize::from(self.count)
    }

    /// Returns whether element `index` of `tensor` is in the list.
    pub fn contains(&self, tensor: &Tensor, index: usize) -> bool {
        self.digests().contains(&digest(bytes_of(tensor, index)))
    }

    /// Returns both lists joined; `None` where they have more elements than a list can hold.
    pub fn with(mut self, others: Elements) -> Option<Elements> {
        for &digest in others.digests() {
            if self.digests().contains(&digest) {
                continue;
            }
            *self.digests.get_mut(usize::from(self.count))? = digest;
            self.count += 1;
        }
        Some(self)
    }
}

/// Returns the bytes of element `index`, which may be a string.
pub fn bytes_of(tensor: &Tensor, index: usize) -> &[u8] {
    match tensor.data() {
        Data::Strings(strings) => &strings[index],
        Data::Bytes(bytes) => {
            let size = tensor.dtype().size();
            &bytes[index * size..(index + 1) * size]
        }
    }
}

fn digest(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_listed_until_there_are_too_many() {
        let words: Vec<Vec<u8>> = (0..10u8).map(|i| vec![b'a' + i]).collect();
        let words = Tensor::from_strings(vec![10], words).expect("the shape has ten elements");
        let upto = |n: usize| (0..n).map(|i| Some(Elements::one(&words, i))).reduce(|a, b| a?.with(b?)).flatten();
        let three = upto(3).expect("few elements are listed");
        assert!(three.contains(&words, 2) && !three.contains(&words, 3));
        assert_eq!(three.with(Elements::one(&words, 0)), Some(three));
        assert!(upto(8).is_some() && upto(9).is_none());
    }
}
