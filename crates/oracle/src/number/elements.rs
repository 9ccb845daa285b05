//! Outcomes of an element that is no number: other elements, known by a digest of their bytes.

use std::hash::{DefaultHasher, Hash, Hasher};

use plumbline_tensor::{Data, Tensor};

/// The most elements that are listed.
const MOST: usize = 8;

/// Up to eight elements of types whose elements are no numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Elements {
    digests: [u64; MOST],
    count: u8,
}

impl Elements {
    /// One element.
    pub fn one(tensor: &Tensor, index: usize) -> Elements {
        let mut digests = [0; MOST];
        digests[0] = digest(bytes_of(tensor, index));
        Elements { digests, count: 1 }
    }

    fn digests(&self) -> &[u64] {
        &self.digests[..usize::from(self.count)]
    }

    /// Whether an element is one of them.
    pub fn contains(&self, tensor: &Tensor, index: usize) -> bool {
        self.digests().contains(&digest(bytes_of(tensor, index)))
    }

    /// These and those; `None` where there are more than can be listed.
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

/// The bytes of an element, or of a string.
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
        let words = Tensor::from_strings(vec![10], words).expect("ten words");
        let upto = |n: usize| (0..n).map(|i| Some(Elements::one(&words, i))).reduce(|a, b| a?.with(b?)).flatten();
        let three = upto(3).expect("few");
        assert!(three.contains(&words, 2) && !three.contains(&words, 3));
        assert_eq!(three.with(Elements::one(&words, 0)), Some(three));
        assert!(upto(8).is_some() && upto(9).is_none());
    }
}
