//! Values of a thread that hold while a function runs.

use std::cell::Cell;
use std::thread::LocalKey;

/// Runs `body` while `place` has this value. The value before comes back afterwards, also if `body` unwinds.
pub(crate) fn holding<T: Copy, R>(place: &'static LocalKey<Cell<T>>, value: T, body: impl FnOnce() -> R) -> R {
    let _restore = Restore { place, before: place.replace(value) };
    body()
}

struct Restore<T: Copy + 'static> {
    place: &'static LocalKey<Cell<T>>,
    before: T,
}

impl<T: Copy> Drop for Restore<T> {
    fn drop(&mut self) {
        self.place.set(self.before);
    }
}
