//! Banks and channels: every operation is a list of stages; the stage that ends earliest is handled first.
//!
//! ```text
//!   program   channel | cells (tPROG)
//!   read      cells (tR) | channel
//!   collect   cells (tR) | channel, there and back | cells (tPROG) | ... | cells (tBERS)
//! ```
//!
//! A bank does one operation after another. A channel goes to the bank that requests it first; at the same nanosecond
//! the bank with the lower number comes first.
//! Not modelled here: operations that overtake or suspend others, cache programming.

use std::collections::VecDeque;

/// What an operation needs, and for how long [ns].
#[derive(Clone, Copy, Debug)]
pub enum Stage {
    Cells(u64),
    Channel(u64),
}

#[derive(Clone, Debug)]
struct Bank<T> {
    channel: usize,
    /// Operations with the stages they still have to begin, the current one first.
    queue: VecDeque<(VecDeque<Stage>, Option<T>)>,
    /// When the stage under way ends [ns].
    ends_ns: Option<u64>,
    busy_since_ns: u64,
    busy_ns: u64,
}

/// All banks; `T` identifies the purpose of an operation.
#[derive(Clone, Debug)]
pub struct Banks<T> {
    banks: Vec<Bank<T>>,
    channel_free_ns: Vec<u64>,
    channel_busy_ns: Vec<u64>,
}

impl<T> Banks<T> {
    pub fn new(channel_count: usize, channel_of_bank: impl IntoIterator<Item = usize>) -> Self {
        let bank = |channel| Bank { channel, queue: VecDeque::new(), ends_ns: None, busy_since_ns: 0, busy_ns: 0 };
        Self {
            banks: channel_of_bank.into_iter().map(bank).collect(),
            channel_free_ns: vec![0; channel_count],
            channel_busy_ns: vec![0; channel_count],
        }
    }

    /// Put an operation behind all others of a bank.
    pub fn enqueue(&mut self, bank: usize, now_ns: u64, stages: Vec<Stage>, purpose: Option<T>) {
        self.banks[bank].queue.push_back((stages.into(), purpose));
        if self.banks[bank].queue.len() == 1 {
            self.banks[bank].busy_since_ns = now_ns;
            self.begin_stage(bank, now_ns);
        }
    }

    /// When the next stage ends; `u64::MAX` when nothing is under way [ns].
    pub fn next_ns(&self) -> u64 {
        self.banks.iter().filter_map(|bank| bank.ends_ns).min().unwrap_or(u64::MAX)
    }

    /// Handle the end of the stage that ends next; returns the purpose of its operation if that was its last stage.
    pub fn step(&mut self) -> Option<T> {
        let now_ns = self.next_ns();
        let bank = self.banks.iter().position(|bank| bank.ends_ns == Some(now_ns)).expect("something is under way");
        if !self.banks[bank].queue[0].0.is_empty() {
            self.begin_stage(bank, now_ns);
            return None;
        }
        let (_, purpose) = self.banks[bank].queue.pop_front().expect("an operation is under way");
        if self.banks[bank].queue.is_empty() {
            self.banks[bank].ends_ns = None;
            self.banks[bank].busy_ns += now_ns - self.banks[bank].busy_since_ns;
        } else {
            self.begin_stage(bank, now_ns);
        }
        purpose
    }

    fn begin_stage(&mut self, bank_index: usize, now_ns: u64) {
        let bank = &mut self.banks[bank_index];
        let stage = bank.queue[0].0.pop_front().expect("every operation has a stage");
        bank.ends_ns = Some(match stage {
            Stage::Cells(duration_ns) => now_ns + duration_ns,
            Stage::Channel(duration_ns) => {
                let free_ns = &mut self.channel_free_ns[bank.channel];
                *free_ns = now_ns.max(*free_ns) + duration_ns;
                self.channel_busy_ns[bank.channel] += duration_ns;
                *free_ns
            }
        });
    }

    /// Operations that wait behind the current one, per bank.
    pub fn queue_lengths(&self) -> Vec<u32> {
        self.banks.iter().map(|bank| bank.queue.len().saturating_sub(1) as u32).collect()
    }

    /// Time each bank has worked until it was last idle [ns].
    pub fn bank_busy_ns(&self) -> Vec<u64> {
        self.banks.iter().map(|bank| bank.busy_ns).collect()
    }

    /// Time for which each channel has been in use [ns].
    pub fn channel_busy_ns(&self) -> Vec<u64> {
        self.channel_busy_ns.clone()
    }
}
