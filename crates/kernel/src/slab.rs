//! Entries that are added and removed, each with a small number that is reused.

use serde::{Deserialize, Serialize};

/// A list in which removed entries leave free places.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Slab<T> {
    entries: Vec<Option<T>>,
    holes: Vec<u32>,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Self { entries: Vec::new(), holes: Vec::new() }
    }
}

impl<T> Slab<T> {
    /// Add an entry; returns its number.
    #[inline]
    pub fn insert(&mut self, entry: T) -> u32 {
        match self.holes.pop() {
            Some(number) => {
                self.entries[number as usize] = Some(entry);
                number
            }
            None => {
                self.entries.push(Some(entry));
                (self.entries.len() - 1) as u32
            }
        }
    }

    /// The entry of that number, which must exist.
    #[inline]
    pub fn get(&self, number: u32) -> &T {
        self.entries[number as usize].as_ref().expect("the entry is still needed")
    }

    /// The entry of that number, which must exist, mutable.
    #[inline]
    pub fn get_mut(&mut self, number: u32) -> &mut T {
        self.entries[number as usize].as_mut().expect("the entry is still needed")
    }

    /// Remove the entry of that number.
    #[inline]
    pub fn remove(&mut self, number: u32) -> T {
        self.holes.push(number);
        self.entries[number as usize].take().expect("the entry is still needed")
    }

    /// True when there is no entry.
    pub fn is_empty(&self) -> bool {
        self.holes.len() == self.entries.len()
    }

    /// All entries, by number, mutable.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.entries.iter_mut().flatten()
    }

    /// All entries with their numbers.
    pub fn numbered(&self) -> impl Iterator<Item = (u32, &T)> {
        (0..).zip(&self.entries).filter_map(|(number, entry)| Some((number, entry.as_ref()?)))
    }

    /// All entries, by number.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.entries.iter().flatten()
    }
}
