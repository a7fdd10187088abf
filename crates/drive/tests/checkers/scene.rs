//! The scene of a failure, which is printed with it: which drive, which seed, which step.

use std::cell::Cell;

/// Prints itself when the test panics while this value exists.
pub struct Scene<'a> {
    name: &'a str,
    seed: u64,
    step: Cell<u64>,
}

impl<'a> Scene<'a> {
    pub fn new(name: &'a str, seed: u64) -> Self {
        Self { name, seed, step: Cell::new(0) }
    }

    /// The operation that comes next.
    pub fn at(&self, step: u64) {
        self.step.set(step);
    }
}

impl Drop for Scene<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("seed {}, step {}, on {}", self.seed, self.step.get(), self.name);
        }
    }
}
