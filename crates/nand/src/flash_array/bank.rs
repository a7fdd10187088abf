//! One bank: its queue, its current operation, and the operation that was interrupted for reads.

use super::Operation;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// What a bank waits for in its current operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Phase {
    Idle,
    /// The page is in the register; next the bank needs the channel.
    Sensed,
    /// The last step of the operation is under way.
    Finishing,
    /// The page of a program is in the register; programming begins (only with cache programming).
    Loaded,
    /// A part of a collection is over, and reads wait.
    Turning,
    /// A program or erase stops for the reads that wait.
    Stopping,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Bank<T> {
    pub queue: VecDeque<Operation<T>>,
    pub current: Option<Operation<T>>,
    pub phase: Phase,
    pub channel: u32,
    /// Reads at the head of the queue, counted only when reads overtake.
    pub reads_waiting: u32,
    pub course: Course,
    pub busy_since_ns: u64,
    pub busy_ns: u64,
    /// When the transfer of the page that was loaded ahead for the first program of the queue ends.
    pub loaded_until_ns: Option<u64>,
    pub held: Option<Held<T>>,
}

/// The times of the current operation, as planned when it began or was resumed.
///
/// ```text
///        program_from    program_until            due
///   transfer  |----- tPROG -----|-- sensing or erases --|
/// ```
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Course {
    pub program_from_ns: u64,
    pub program_until_ns: u64,
    pub due_ns: u64,
    /// Suspensions so far of the current part.
    pub suspensions: u32,
    /// 0: the program; else the erases that are left, the one under way included.
    pub part: u32,
}

impl Course {
    /// A course that begins without suspensions.
    #[inline]
    pub fn new(program_from_ns: u64, program_until_ns: u64, due_ns: u64) -> Self {
        Self { program_from_ns, program_until_ns, due_ns, suspensions: 0, part: 0 }
    }

    #[inline]
    pub fn due_ns(&self) -> u64 {
        self.due_ns
    }
}

/// An operation that was interrupted for reads, and what is left of it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Held<T> {
    pub operation: Operation<T>,
    pub program_ns: u64,
    pub tail_ns: u64,
    /// Reads that are still served before it goes on.
    pub reads_left: u32,
}
