//! The fast drive and the twin side by side: both get the same operations, and everything that can be seen must be
//! equal.

use crate::configs::describe;
use crate::twin::Twin;
use flashscope_drive::{Config, Counters, Drive, Inside, Member, Request, RequestKind, Ssd, Status};

/// One operation on both.
#[derive(Clone, Copy, Debug)]
pub enum Operation {
    Request(Request),
    Idle(u64),
    PowerCut,
    PowerOff(u64),
    SecureErase,
}

/// See the module's header.
pub struct Pair {
    pub drive: Ssd,
    pub twin: Twin,
    seed: u64,
    done: usize,
    /// The number of wrong bits depends on the medium only.
    counts_bits: bool,
}

/// A request for random data.
pub fn request(kind: RequestKind, offset_bytes: u64, length_bytes: u64) -> Request {
    Request { kind, offset_bytes, length_bytes, compressible: 0 }
}

impl Pair {
    pub fn new(config: Config, seed: u64) -> Self {
        let drive = Ssd::new(config.clone(), seed).unwrap_or_else(|error| panic!("{error}: {}", describe(&config)));
        Self { drive, twin: Twin::new(config, seed), seed, done: 0, counts_bits: true }
    }

    /// Flash that can never be read: every codeword has more wrong bits than its code corrects.
    pub fn with_unreadable_flash(config: Config, seed: u64) -> Self {
        let mut pair = Self::new(config, seed);
        pair.twin.reads_fail = true;
        pair.counts_bits = false;
        pair
    }

    /// Do something to both and compare what is cheap to compare; the status of a request.
    pub fn operate(&mut self, operation: Operation) -> Status {
        let (drive, twin) = (&mut self.drive, &mut self.twin);
        let mut status = Status::Done;
        match operation {
            Operation::Request(request) => {
                drive.submit(drive.now_ns(), 7, request);
                let answer = drive.next_completion(u64::MAX).expect("every request is answered");
                status = answer.status;
                let of_twin = twin.ask(request);
                assert_eq!(status, of_twin, "{}", self.place(operation));
            }
            Operation::Idle(duration_ns) => {
                drive.idle(duration_ns);
                twin.idle(duration_ns);
            }
            Operation::PowerCut => {
                let (lost, of_twin) = (drive.power_cut(), twin.power_cut());
                assert_eq!(lost, of_twin, "units lost, {}", self.place(operation));
            }
            Operation::PowerOff(duration_ns) => {
                drive.power_off(duration_ns, 30.0);
                twin.power_off(duration_ns);
            }
            Operation::SecureErase => {
                let (took_ns, of_twin) = (drive.secure_erase(), twin.secure_erase());
                assert_eq!(took_ns, of_twin, "time to erase, {}", self.place(operation));
            }
        }
        self.done += 1;
        self.compare_counters(operation);
        if self.done.is_multiple_of(16) {
            self.compare_inside(operation);
        }
        status
    }

    fn place(&self, operation: Operation) -> String {
        format!("seed {}, operation {}: {operation:?}, on {}", self.seed, self.done, describe(&self.twin.config))
    }

    fn compare_counters(&self, operation: Operation) {
        let hide =
            |counters: Counters| if self.counts_bits { counters } else { Counters { error_bits: 0, ..counters } };
        let (counters, of_twin) = (hide(self.drive.counters()), hide(self.twin.counters()));
        let differ = |((name, count), (_, expected)): ((&'static str, u64), (&str, u64))| {
            (count != expected).then(|| format!("{name}: {count} in the drive, {expected} in the twin"))
        };
        let differing: Vec<String> = counters.list().into_iter().zip(of_twin.list()).filter_map(differ).collect();
        assert!(differing.is_empty(), "{differing:#?}\n{}", self.place(operation));
        assert_eq!(self.drive.now_ns(), self.twin.now_ns, "time [ns], {}", self.place(operation));
    }

    /// Compare everything that `inside` shows.
    pub fn compare_inside(&self, operation: Operation) {
        let (inside, of_twin) = (self.drive.inside(), self.twin.inside());
        let place = || self.place(operation);
        assert_eq!(inside.states, of_twin.states, "states, {}", place());
        assert_eq!(inside.erase_counts, of_twin.erase_counts, "erase counts, {}", place());
        assert_eq!(inside.valid_slots, of_twin.valid_slots, "valid slots, {}", place());
        let difference = inside.decisions.iter().zip(&of_twin.decisions).find(|(one, other)| one != other);
        assert_eq!(difference, None, "decisions, {}", place());
        assert_eq!(inside, of_twin, "{}", place());
        self.drive.check();
    }

    /// Do all of it, and compare everything at the end.
    pub fn play(&mut self, operations: impl IntoIterator<Item = Operation>) {
        let mut last = None;
        for operation in operations {
            self.operate(operation);
            last = Some(operation);
        }
        if let Some(last) = last {
            self.compare_inside(last);
        }
    }

    /// Write one unit at each of these places.
    pub fn write_units(&mut self, units: impl IntoIterator<Item = u64>) {
        let unit_bytes = u64::from(self.twin.config.mapping.unit_bytes);
        let write = |unit: u64| Operation::Request(request(RequestKind::Write, unit * unit_bytes, unit_bytes));
        self.play(units.into_iter().map(write));
    }
}

impl Twin {
    /// What `Ssd::inside` shows.
    pub fn inside(&self) -> Inside {
        let blocks = &self.flash.blocks;
        Inside {
            pslc: Vec::new(),
            pslc_block_count: 0,
            valid_slots: (0..blocks.len()).map(|block| self.flash.valid(block).len() as u32).collect(),
            erase_counts: blocks.iter().map(|block| block.erases).collect(),
            states: blocks.iter().map(|block| block.state as u8).collect(),
            free_blocks: self.pools.iter().map(|pool| pool.free.len() as u32).collect(),
            queue_lengths: self.banks.queue_lengths(),
            bank_busy_ns: self.banks.bank_busy_ns(),
            channel_busy_ns: self.banks.channel_busy_ns(),
            buffered_units: self.buffered_units,
            // As many as a drive remembers.
            decisions: self.decisions[self.decisions.len().saturating_sub(4096)..].to_vec(),
        }
    }
}
