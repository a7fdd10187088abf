//! A write-back buffer: room for a number of units, and the units that wait in it.
//!
//! ```text
//!   arrival   host --whole units------------------------------> page being filled --> on its way to flash
//!                  \-partial--> [ waiting, oldest first ] --complete--^
//!   sorted    host ----------> [ waiting, by address, overwritten in place ] --run by run--^
//!                              '------------------------- room_units -------------------------------------'
//! ```
//!
//! A unit of which only some sectors were written waits until the host has written the rest, until room is
//! needed, or until the drive is idle; then the missing sectors are read from flash first
//! (read-modify-write). Room is released when the program operation has ended.
//!
//! In a sorted buffer, complete units wait too. A sweep starts when there are more units than the high water mark. It
//! pauses while enough units are on their way to flash, so that waiting units can still be overwritten, and ends at
//! the low water mark.
//!
//! Not modelled here: the controller's time to search and copy, data of read requests kept in the buffer.

use super::by_age::ByAge;
use super::elevator::Elevator;
use super::settings::{BufferSettings, FlushOrder, Stall};
use super::waiting::{Covered, Waiting};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Order {
    ByAge(ByAge),
    Elevator(Elevator),
}

/// Counts of a sorted buffer since it was built; all 0 in arrival order, where nothing is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BufferTally {
    /// Pieces of writes that took room.
    pub entered_units: u64,
    /// Pieces of writes whose unit was in the buffer already: they took no room.
    pub absorbed_units: u64,
    /// Units that left for flash.
    pub flushed_units: u64,
    /// Contiguous runs in which they left.
    pub flushed_runs: u64,
    /// Units that were trimmed, or written past the buffer, while they waited.
    pub dropped_units: u64,
    /// Units that left and were lost before they had a place on flash.
    pub lost_units: u64,
}

/// See the module's header.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WriteBack {
    settings: BufferSettings,
    full: Covered,
    used_units: u32,
    waiting: BTreeMap<u32, Waiting>,
    order: Order,
    sweeping: bool,
    closed: bool,
    tally: BufferTally,
}

impl WriteBack {
    /// An empty buffer.
    pub fn new(settings: BufferSettings) -> Self {
        let order = match settings.flush_order {
            FlushOrder::Arrival => Order::ByAge(ByAge::default()),
            FlushOrder::Sorted => Order::Elevator(Elevator::default()),
        };
        let full = if settings.sectors_per_unit >= 128 { Covered::MAX } else { (1 << settings.sectors_per_unit) - 1 };
        let (waiting, tally) = (BTreeMap::new(), BufferTally::default());
        Self { settings, full, used_units: 0, waiting, order, sweeping: false, closed: false, tally }
    }

    /// True when the drive buffers writes at all.
    #[inline]
    pub fn exists(&self) -> bool {
        self.settings.room_units > 0
    }

    /// True when complete units wait too and leave by address.
    #[inline]
    pub fn is_sorted(&self) -> bool {
        matches!(self.order, Order::Elevator(_))
    }

    /// All sectors of a unit.
    #[inline]
    pub fn full(&self) -> Covered {
        self.full
    }

    /// Units that fit.
    pub fn room_units(&self) -> u32 {
        self.settings.room_units
    }

    /// Units held now: those that wait and those on their way to flash.
    pub fn used_units(&self) -> u32 {
        self.used_units
    }

    /// Units that wait in the buffer.
    #[inline]
    pub fn waiting_units(&self) -> u32 {
        self.waiting.len() as u32
    }

    /// Units on their way to flash: being completed, in the page being filled, being programmed.
    pub fn under_way_units(&self) -> u32 {
        self.used_units - self.waiting_units()
    }

    /// True while no write is accepted because the buffer was full and is not drained yet.
    #[inline]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Its state, as far as writing depends on it while no unit waits, in a number.
    pub fn state(&self) -> u64 {
        u64::from(self.used_units) << 2 | u64::from(self.closed) << 1 | u64::from(self.sweeping)
    }

    /// Take room for one unit; false when the buffer is full.
    #[inline]
    pub fn take(&mut self) -> bool {
        let fits = self.used_units < self.settings.room_units;
        self.used_units += u32::from(fits);
        fits
    }

    /// Units for which there is room.
    #[inline]
    pub fn free_units(&self) -> u32 {
        self.settings.room_units - self.used_units
    }

    /// Take room for units for which there is room.
    #[inline]
    pub fn take_all(&mut self, units: u32) {
        debug_assert!(units <= self.free_units());
        self.used_units += units;
    }

    /// Release the room of `units` units that are on flash now.
    #[inline]
    pub fn give_back(&mut self, units: u32) {
        debug_assert!(units <= self.used_units);
        self.used_units -= units;
        if self.closed && self.used_units <= self.settings.low_water_units {
            self.closed = false;
        }
    }

    /// The buffer is full: start a sweep, and accept no more writes if the settings say so.
    pub fn found_full(&mut self) {
        self.sweeping = self.is_sorted();
        self.closed = self.settings.stall == Stall::UntilDrained;
    }

    /// The power failed: the buffer is empty. `completing_units` units had left and were being completed.
    pub fn power_cut(&mut self, completing_units: u32) {
        let mut empty = Self::new(self.settings.clone());
        if let (Order::Elevator(after), Order::Elevator(before)) = (&mut empty.order, &self.order) {
            after.runs = before.runs;
        }
        let mut tally = self.tally;
        if self.is_sorted() {
            tally.dropped_units += u64::from(self.waiting_units());
            tally.lost_units += u64::from(completing_units);
        }
        *self = Self { tally, ..empty };
    }

    /// What the buffer holds of a unit, if anything.
    #[inline]
    pub fn waiting(&self, unit: u32) -> Option<Waiting> {
        if self.waiting.is_empty() { None } else { self.waiting.get(&unit).copied() }
    }

    /// The sectors of a unit that wait in the buffer; 0 when none do.
    #[inline]
    pub fn covered(&self, unit: u32) -> Covered {
        self.waiting(unit).map_or(0, |waiting| waiting.covered)
    }

    /// Put sectors of a unit into the buffer. This does not reserve room (see `take`).
    pub fn add(&mut self, unit: u32, sectors: Covered, compressible: u8) {
        let before = self.waiting.get(&unit).copied();
        match &mut self.order {
            Order::ByAge(by_age) if before.is_none() => by_age.enter(unit, &self.waiting),
            Order::ByAge(_) => {}
            Order::Elevator(_) => {
                self.tally.entered_units += u64::from(before.is_none());
                self.tally.absorbed_units += u64::from(before.is_some());
                self.sweeping |= self.used_units > self.settings.high_water_units;
            }
        }
        self.waiting.insert(unit, before.unwrap_or_default().joined(sectors, compressible));
    }

    /// Remove a unit before its turn (completed, trimmed, or written past the buffer).
    #[inline]
    pub fn remove(&mut self, unit: u32) -> Option<Waiting> {
        if self.waiting.is_empty() {
            return None;
        }
        let waiting = self.waiting.remove(&unit);
        self.tally.dropped_units += u64::from(waiting.is_some() && self.is_sorted());
        waiting
    }

    /// Remove the unit whose turn it is.
    pub fn remove_next(&mut self) -> Option<(u32, Waiting)> {
        let unit = match &mut self.order {
            Order::ByAge(by_age) => by_age.next(&self.waiting)?,
            Order::Elevator(elevator) => {
                let unit = elevator.next(&self.waiting)?;
                self.tally.flushed_units += 1;
                unit
            }
        };
        self.waiting.remove(&unit).map(|waiting| (unit, waiting))
    }

    /// Remove the unit whose turn it is, if a sweep is under way and too few units are on their way to flash.
    #[inline]
    pub fn sweep(&mut self) -> Option<(u32, Waiting)> {
        if !self.sweeping {
            return None;
        }
        if self.waiting_units() <= self.settings.low_water_units {
            self.sweeping = false;
            return None;
        }
        if self.under_way_units() >= self.settings.under_way_units {
            return None;
        }
        self.remove_next()
    }

    /// Counts of the buffer since it was built.
    pub fn tally(&self) -> BufferTally {
        let flushed_runs = match &self.order {
            Order::ByAge(_) => 0,
            Order::Elevator(elevator) => elevator.runs,
        };
        BufferTally { flushed_runs, ..self.tally }
    }

    /// Check that the counts agree with each other. Panics when they do not: that is an error in this program.
    pub fn check(&self) {
        let (room, used, low) = (self.settings.room_units, self.used_units, self.settings.low_water_units);
        assert!(self.waiting_units() <= used && used <= room, "{} wait, {used} used of {room}", self.waiting_units());
        assert!(!self.closed || used > low, "closed with {used} units used, though {low} are low water");
        assert!(self.waiting.values().all(|waiting| waiting.covered != 0 && waiting.covered & !self.full == 0));
        let tally = self.tally();
        if self.is_sorted() {
            let gone = tally.flushed_units + tally.dropped_units;
            assert_eq!(tally.entered_units, gone + u64::from(self.waiting_units()), "units in and out add up");
            assert!(tally.flushed_runs <= tally.flushed_units, "no run is empty");
        } else {
            assert_eq!(tally, BufferTally::default(), "nothing is counted in arrival order");
            assert!(self.waiting.values().all(|waiting| waiting.covered != self.full), "whole units do not wait");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(flush_order: FlushOrder) -> BufferSettings {
        BufferSettings {
            room_units: 4,
            flush_order,
            stall: Stall::UntilRoom,
            high_water_units: 2,
            low_water_units: 1,
            under_way_units: 2,
            sectors_per_unit: 8,
        }
    }

    #[test]
    fn a_unit_collects_its_sectors_and_leaves_by_age() {
        let mut buffer = WriteBack::new(BufferSettings { room_units: 2, ..settings(FlushOrder::Arrival) });
        assert!(buffer.take() && buffer.take() && !buffer.take(), "room for two");
        buffer.add(9, 0b0011, 7);
        buffer.add(5, 0b0001, 7);
        buffer.add(9, 0b1100, 7);
        assert_eq!((buffer.covered(9), buffer.covered(5), buffer.covered(4)), (0b1111, 0b0001, 0));
        assert!(buffer.remove(9).is_some());
        assert_eq!(buffer.remove_next().map(|next| next.0), Some(5), "9 is gone already");
        assert_eq!(buffer.remove_next(), None);
        buffer.give_back(2);
        assert_eq!(buffer.used_units(), 0);
    }

    #[test]
    fn a_sweep_starts_above_high_water_pauses_when_enough_is_under_way_and_ends_at_low_water() {
        let mut buffer = WriteBack::new(settings(FlushOrder::Sorted));
        let write = |buffer: &mut WriteBack, unit| {
            assert!(buffer.take());
            buffer.add(unit, 0xff, 0);
        };
        write(&mut buffer, 8);
        write(&mut buffer, 2);
        assert_eq!(buffer.sweep(), None, "two are not more than high water");
        write(&mut buffer, 5);
        write(&mut buffer, 7);
        assert_eq!(buffer.sweep().map(|next| next.0), Some(2));
        assert_eq!(buffer.sweep().map(|next| next.0), Some(5));
        assert_eq!(buffer.sweep(), None, "two are on their way");
        buffer.give_back(1);
        assert_eq!(buffer.sweep().map(|next| next.0), Some(7));
        buffer.give_back(2);
        assert_eq!(buffer.sweep(), None, "one left is low water");
        assert_eq!((buffer.used_units(), buffer.waiting_units()), (1, 1));
        assert_eq!(buffer.tally().flushed_runs, 3);
        buffer.check();
    }

    #[test]
    fn a_buffer_that_stalls_until_drained_opens_again_exactly_at_low_water() {
        let settings = BufferSettings { stall: Stall::UntilDrained, ..settings(FlushOrder::Arrival) };
        let mut buffer = WriteBack::new(settings);
        while buffer.take() {}
        buffer.found_full();
        buffer.give_back(2);
        assert!(buffer.is_closed(), "two are left");
        buffer.give_back(1);
        assert!(!buffer.is_closed(), "one is left");
        buffer.check();
    }
}
