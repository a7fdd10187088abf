//! What a host may rely on, unit by unit: which data must survive a power cut.
//!
//! ```text
//!   write submitted   --> unknown     (its old copy does not come back, its new one is not there yet)
//!   write answered    --> answered    safe at once when it was answered from flash, or by drives with capacitors
//!   flush answered    --> safe        what was answered before the flush was submitted
//!   trim submitted    --> unknown     until it is written again
//! ```
//!
//! Requests that touch a unit at the same time may be carried out in any order: then nothing is known of the unit.

use flashscope_drive::ssd::config::Capacity;
use flashscope_drive::{Config, Request, RequestKind, Status};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Known {
    #[default]
    Nothing,
    Answered,
    Safe,
}

#[derive(Clone, Copy, Debug, Default)]
struct Unit {
    known: Known,
    /// Writes and trims that were submitted, and of these, those without an answer.
    version: u64,
    under_way: u32,
    /// Number of answers so far when the unit was last part of one.
    heard_at: u64,
}

/// What the host will know when a request is answered.
#[derive(Clone, Debug, Default)]
pub struct Note {
    /// Units that it changes, with their state at that time, and whether no other request touched them.
    changed: Vec<(usize, u64, bool)>,
    /// Units a flush makes safe.
    flushed: Vec<(usize, u64)>,
}

/// See the module's header.
pub struct Books {
    units: Vec<Unit>,
    unit_bytes: u64,
    capacity: Capacity,
    /// True when an answer to a write means that the data is on flash, or will be in any case.
    answers_are_safe: bool,
    answers: u64,
}

impl Books {
    pub fn new(config: &Config) -> Self {
        Self {
            units: vec![Unit::default(); config.unit_count() as usize],
            unit_bytes: config.mapping.unit_bytes.into(),
            capacity: config.capacity.clone(),
            answers_are_safe: !crate::configs::has_buffer(config),
            answers: 0,
        }
    }

    /// Units that a request touches. On a counterfeit drive addresses beyond the real ones fall on these again, or
    /// nowhere.
    pub fn touched(&self, request: &Request) -> std::ops::Range<usize> {
        let (offset_bytes, length_bytes) = self.capacity.reached(request.offset_bytes, request.length_bytes);
        let end = (offset_bytes + length_bytes).div_ceil(self.unit_bytes);
        (offset_bytes / self.unit_bytes) as usize..end as usize
    }

    pub fn submitted(&mut self, request: &Request) -> Note {
        let mut note = Note::default();
        match request.kind {
            RequestKind::Write | RequestKind::Trim => {
                for index in self.touched(request) {
                    let unit = &mut self.units[index];
                    unit.known = Known::Nothing;
                    unit.version += 1;
                    note.changed.push((index, unit.version, unit.under_way == 0));
                    unit.under_way += 1;
                }
            }
            RequestKind::Flush => {
                let answered = self.units.iter().enumerate().filter(|(_, unit)| unit.known == Known::Answered);
                note.flushed = answered.map(|(index, unit)| (index, unit.version)).collect();
            }
            RequestKind::Read => {}
        }
        note
    }

    pub fn answered(&mut self, kind: RequestKind, status: Status, note: Note) {
        self.answers += 1;
        for (index, version, alone) in note.changed {
            let unit = &mut self.units[index];
            unit.under_way -= 1;
            unit.heard_at = self.answers;
            if kind == RequestKind::Write && status == Status::Done && unit.version == version && alone {
                unit.known = if self.answers_are_safe { Known::Safe } else { Known::Answered };
            }
        }
        for (index, version) in note.flushed {
            let unit = &mut self.units[index];
            if status == Status::Done && unit.version == version && unit.known == Known::Answered {
                unit.known = Known::Safe;
            }
        }
    }

    /// Everything that was answered is safe: the drive was switched off in good order, or capacitors held it up.
    pub fn written_out(&mut self) {
        for unit in self.units.iter_mut().filter(|unit| unit.known == Known::Answered) {
            unit.known = Known::Safe;
        }
    }

    /// Data that was answered but is not safe becomes unknown; nothing is under way.
    pub fn cut(&mut self) {
        for unit in &mut self.units {
            unit.under_way = 0;
            unit.version += 1;
            unit.known = if unit.known == Known::Safe { Known::Safe } else { Known::Nothing };
        }
    }

    /// Nothing is known any more: everything was erased, or the drive could not keep what it had answered.
    pub fn forget(&mut self) {
        self.units.iter_mut().for_each(|unit| unit.known = Known::Nothing);
    }

    /// Data that was answered from memory may have found no free block.
    pub fn doubt_answers(&mut self) {
        for unit in self.units.iter_mut().filter(|unit| unit.known == Known::Answered) {
            unit.known = Known::Nothing;
        }
    }

    /// Units that must hold data, the latest first: a drive loses the most recently answered data most easily.
    pub fn safe_units(&self) -> Vec<usize> {
        let is_safe = |&index: &usize| self.units[index].known == Known::Safe;
        let mut safe: Vec<usize> = (0..self.units.len()).filter(is_safe).collect();
        safe.sort_by_key(|&index| std::cmp::Reverse(self.units[index].heard_at));
        safe
    }

    /// A read of a unit, or of the part of it that exists.
    pub fn read_of(&self, unit: usize) -> Request {
        let offset_bytes = unit as u64 * self.unit_bytes;
        let length_bytes = self.unit_bytes.min(self.capacity.user_bytes - offset_bytes);
        Request { kind: RequestKind::Read, offset_bytes, length_bytes, compressible: 0 }
    }
}
