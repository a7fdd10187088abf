//! Making room: a victim is chosen, its valid data is moved, the block is erased.
//!
//! ```text
//!   the host opens a block, free <= low water: collect until free >= high water
//!   moved data   apart: a block of its own      with-host: the block the host fills next, ending with a page
//! ```
//!
//! A victim is started only when there is room for all of its valid data.

use crate::flash::State;
use crate::pool::{COLD, HOT, Lane};
use crate::twin::{Refused, Twin};
use crate::work::Work;
use flashscope_drive::Decision;
use flashscope_ftl::{MovedData, Reason};

impl Twin {
    /// Make room for another host block of a temperature in a pool and open it; the work of it.
    pub fn room_for_host(&mut self, pool: usize, heat: usize) -> Result<Work, Refused> {
        let mut work = std::mem::take(&mut self.pools[pool].unpaid);
        let mut done = self.make_room(pool, Some(heat), &mut work);
        self.end_moved_page(pool, heat, &mut work);
        self.level_wear(pool, heat, &mut work);
        if self.room_in_lane(pool, Lane::Host(heat)) == 0 {
            if done.is_ok() {
                done = self.open_block(pool, Lane::Host(heat), Reason::LowWater, &mut work).map(|_| ());
            }
        } else {
            done = Ok(());
        }
        if done.is_err() {
            self.pools[pool].unpaid = work;
        }
        done.map(|()| work)
    }

    /// Collect until enough blocks are free. Room for a page in the host's own block counts as a block.
    pub fn make_room(&mut self, pool: usize, opening: Option<usize>, work: &mut Work) -> Result<(), Refused> {
        let free = |twin: &Self| twin.pools[pool].free.len() as u32;
        if free(self) > self.config.gc.low_water_blocks {
            return Ok(());
        }
        loop {
            let host_room = opening.map_or(0, |heat| self.room_in_lane(pool, Lane::Host(heat)));
            let with_host = u32::from(host_room >= self.flash.slots_per_page);
            if free(self) + with_host >= self.config.gc.high_water_blocks {
                return Ok(());
            }
            let victim = self.choose_victim(pool).ok_or(Refused::NoFreeBlock)?;
            self.collect(pool, victim, opening, Reason::LowWater, work)?;
        }
    }

    /// Move the valid data of a block and erase the block. `opening` is the temperature for which the host needs a
    /// block.
    pub fn collect(
        &mut self,
        pool: usize,
        victim: usize,
        opening: Option<usize>,
        reason: Reason,
        work: &mut Work,
    ) -> Result<(), Refused> {
        let valid = self.flash.valid(victim);
        let heat = self.heat_of_block(victim);
        let lane = match (reason, self.config.gc.moved_data) {
            (Reason::WearLeveling, _) if self.config.gc.separation.is_some() => Lane::Moved(COLD),
            (Reason::WearLeveling, _) => Lane::Moved(HOT),
            (_, MovedData::WithHost) if opening == Some(heat) => Lane::Host(heat),
            _ => Lane::Moved(heat),
        };
        let sound_block_is_free = self.pools[pool].free.iter().any(|&block| !self.first_program_fails(block));
        if self.room_in_lane(pool, lane) < valid.len() && !sound_block_is_free {
            // Free blocks that will fail are tried, one after another, and lost.
            return self.open_block(pool, lane, Reason::LowWater, work).map(|_| ());
        }
        let reason = if self.unreadable.contains(&victim) { Reason::ReadFailure } else { reason };
        self.decisions.push(Decision {
            at_ns: self.now_ns,
            pool: pool as u32,
            block: victim as u32,
            valid_slots: valid.len() as u32,
            free_blocks: self.pools[pool].free.len() as u32,
            reason,
        });
        self.count_moves(&valid, reason, work);
        for (slot, unit) in valid {
            self.move_unit(pool, lane, (victim, slot), unit, reason, work);
        }
        self.erase_or_retire(pool, victim, work);
        Ok(())
    }

    fn count_moves(&mut self, valid: &[(usize, u32)], reason: Reason, work: &mut Work) {
        let mut pages: Vec<usize> = valid.iter().map(|(slot, _)| slot / self.flash.slots_per_page).collect();
        pages.dedup();
        work.reads += pages.len() as u32;
        self.counters.gc_read_pages += pages.len() as u64;
        let units = valid.len() as u64;
        self.counters.gc_moved_units += units;
        match reason {
            Reason::LowWater | Reason::Fold => {}
            Reason::Idle => self.counters.idle_moved_units += units,
            Reason::WearLeveling => self.counters.wear_leveling_moved_units += units,
            Reason::ReadFailure | Reason::Refresh => self.counters.refresh_moved_units += units,
        }
    }

    fn move_unit(
        &mut self,
        pool: usize,
        lane: Lane,
        (from, from_slot): (usize, usize),
        unit: u32,
        reason: Reason,
        work: &mut Work,
    ) {
        let block = match self.pools[pool].open.get(&lane) {
            Some(&block) => block,
            None => self.open_block(pool, lane, reason, work).expect("there is room for all that is valid"),
        };
        // Reads of moved data queue behind it on its bank, so it counts as programmed at once.
        self.flash.fill(block, Some(unit), true);
        self.flash.wait_as(block, from, from_slot);
        let age = self.flash.blocks[from].written_at_units;
        self.flash.blocks[block].written_at_units = self.flash.blocks[block].written_at_units.max(age);
        if self.flash.begun(block) == 0 {
            self.count_moved_page(block, work);
        }
        self.close_if_full(pool, lane);
    }

    fn count_moved_page(&mut self, block: usize, work: &mut Work) {
        let page = self.flash.blocks[block].slots.len() / self.flash.slots_per_page - 1;
        work.add_programs(self.place_of(page) as u32, 1);
        self.counters.gc_programmed_pages += 1;
        if let Some(place) = self.parity_behind(page) {
            work.add_programs(place as u32, 1);
            self.counters.parity_pages += 1;
        }
    }

    /// Moved data in the host's open block ends at the end of a page.
    fn end_moved_page(&mut self, pool: usize, heat: usize, work: &mut Work) {
        let lane = Lane::Host(heat);
        let Some(&block) = self.pools[pool].open.get(&lane) else { return };
        if self.flash.begun(block) > 0 {
            self.fill_page(block, true);
            self.count_moved_page(block, work);
            self.close_if_full(pool, lane);
        }
    }

    /// Fill the rest of a page that was begun.
    pub fn fill_page(&mut self, block: usize, on_flash: bool) {
        while self.flash.begun(block) > 0 {
            self.flash.fill(block, None, on_flash);
            self.counters.padded_slots += 1;
        }
    }

    /// Rewrite a block because of its errors, if it is closed.
    pub fn refresh(&mut self, pool: usize, block: usize) -> Option<Work> {
        if self.flash.blocks[block].state != State::Closed {
            return None;
        }
        let mut work = std::mem::take(&mut self.pools[pool].unpaid);
        let mut done = self.make_room(pool, None, &mut work);
        if done.is_ok() && self.flash.blocks[block].state == State::Closed {
            done = self.collect(pool, block, None, Reason::Refresh, &mut work);
        }
        if done.is_err() {
            self.pools[pool].unpaid = work;
            return None;
        }
        Some(work)
    }
}
