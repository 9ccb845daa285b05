//! Keeps the memory of dropped large tensors and reuses it for new tensors, because the page faults of fresh memory
//! cost more than writing the elements.

use std::sync::{Mutex, PoisonError};

/// Memory of fewer words than this is not worth keeping.
const LEAST: usize = 1 << 14;

/// Largest number of words that are kept in total.
const MOST: usize = 1 << 25;

static KEPT: Mutex<Vec<Vec<u64>>> = Mutex::new(Vec::new());

/// Words of memory. When they are dropped, the memory is kept for later use.
#[derive(Debug, Default)]
pub struct Words(pub Vec<u64>);

impl Words {
    /// Returns memory of at least `count` words with arbitrary content.
    pub fn any(count: usize) -> Words {
        if count >= LEAST {
            let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
            let fits = |words: &Vec<u64>| words.len() >= count && words.len() <= count.saturating_mul(2);
            if let Some(at) = kept.iter().position(fits) {
                return Words(kept.swap_remove(at));
            }
        }
        Words::zeroed(count)
    }

    /// Returns memory of `count` words that are all zero. An odd count is rounded up, because an element may take two
    /// words.
    pub fn zeroed(count: usize) -> Words {
        Words(bytemuck::zeroed_vec(count.next_multiple_of(2)))
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        if self.0.len() < LEAST {
            return;
        }
        let words = std::mem::take(&mut self.0);
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        let mut left: usize = kept.iter().map(Vec::len).sum::<usize>() + words.len();
        kept.push(words);
        // Frees memory from the front of the list, because that is usually the oldest.
        while left > MOST {
            left -= kept.remove(0).len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reused_buffer_of_an_odd_count_holds_elements_of_two_words() {
        drop(Words::zeroed(LEAST + 777));
        let mut words = Words::any(LEAST + 776);
        bytemuck::cast_slice_mut::<u64, [f64; 2]>(&mut words.0)[0] = [1.0, 2.0];
    }

    #[test]
    fn a_kept_buffer_is_reused_but_not_for_zeroed_memory() {
        let count = LEAST + 123;
        let mut words = Words::zeroed(count);
        words.0[7] = 7;
        let place = words.0.as_ptr();
        drop(words);
        let again = Words::any(count - 5);
        // Another test may have taken this memory in the meantime.
        assert!(again.0.as_ptr() != place || again.0[7] == 7);
        assert!(again.0.len() >= count - 5);
        assert!(Words::zeroed(count).0.iter().all(|&word| word == 0));
    }
}
