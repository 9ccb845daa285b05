//! Outcomes for elements that no [`Number`](super::Number) represents (strings and complex numbers): other elements,
//! known by a digest of their bytes.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use plumbline_tensor::{DType, Data, Tensor, TensorError};

/// How many elements a list can hold.
const MOST: usize = 8;

/// A list of up to eight elements of a type that no [`Number`](super::Number) represents (strings and complex numbers).
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

/// The bytes of the elements that are in the lists ([`Elements`]) of a tensor, by their digests.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ElementBytes(Arc<BTreeMap<u64, Vec<u8>>>);

impl ElementBytes {
    /// Adds element `index` of `tensor`.
    pub fn add(&mut self, tensor: &Tensor, index: usize) {
        let bytes = bytes_of(tensor, index);
        Arc::make_mut(&mut self.0).entry(digest(bytes)).or_insert_with(|| bytes.to_vec());
    }

    /// Adds all elements of `others`.
    pub fn add_all(&mut self, others: &ElementBytes) {
        if self.0.is_empty() {
            self.0 = Arc::clone(&others.0);
        } else if !others.0.is_empty() && !Arc::ptr_eq(&self.0, &others.0) {
            Arc::make_mut(&mut self.0).extend(others.0.iter().map(|(&digest, bytes)| (digest, bytes.clone())));
        }
    }

    /// Returns the elements of a list as a tensor of rank 1, in the order of their bytes. `None` if the bytes of an
    /// element were not added.
    ///
    /// # Errors
    /// Returns an error if the bytes are not elements of `dtype`.
    pub fn tensor(&self, list: &Elements, dtype: DType) -> Option<Result<Tensor, TensorError>> {
        let mut found: Vec<&Vec<u8>> = list.digests().iter().map(|digest| self.0.get(digest)).collect::<Option<_>>()?;
        found.sort();
        let shape = vec![found.len()];
        Some(match dtype {
            DType::String => Tensor::from_strings(shape, found.into_iter().cloned().collect()),
            _ => Tensor::from_bytes(dtype, shape, found.into_iter().flatten().copied().collect()),
        })
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

    #[test]
    fn the_elements_of_a_list_are_found_again() {
        let words = Tensor::from_strings(vec![3], ["b", "", "a"].map(|word| word.as_bytes().to_vec()).to_vec());
        let words = words.expect("the shape has three elements");
        let (mut known, mut others) = (ElementBytes::default(), ElementBytes::default());
        known.add(&words, 0);
        others.add(&words, 1);
        others.add(&words, 2);
        let list = Elements::one(&words, 0).with(Elements::one(&words, 2)).expect("two elements are listed");
        assert_eq!(known.tensor(&list, DType::String), None);
        known.add_all(&others);
        let found = known.tensor(&list, DType::String).expect("both are known").expect("both are strings");
        assert_eq!(found.strings(), [b"a", b"b"]);
    }
}
