//! Making room: choose victims, move valid data, erase.
//!
//! ```text
//!   why              victim                       its data goes to                    in the end
//!   host needs room  the policy's choice          moved frontier, or the host's       erased
//!   idle             the policy's choice          moved frontier                      erased
//!   wear too uneven  least worn that lies still   frontier of its own, a worn block   erased
//!   could not read   the block that failed        moved frontier                      retired
//!   pSLC             its oldest block             moved frontier                      erased
//! ```
//!
//! Collection is atomic here: a victim is chosen, its valid units moved and the block erased in one step, and
//! [`Collected`] says what the banks have to do for it. Collection of a victim begins only when there is room for all
//! its valid data, so a refusal leaves everything as it was.
//! Not modelled here: copying inside a die without the channel.

use super::{Decision, Reason, Refusal, Translation};
use crate::blocks::BlockState;
use crate::gc::separation::{COLD, HOT};
use crate::gc::{Collected, MovedData};
use crate::pool::{Frontier, Lane};
use crate::pslc::{PslcBlocks, WhenFull};
use crate::wear_leveling::{take_free_block, take_most_worn};
use flashscope_kernel::signs_of_life::alive;
use flashscope_nand::CellMode;

/// Number of decisions of the collector that are kept.
const REMEMBERED_DECISIONS: usize = 4096;

/// The frontier of data moved for wear levelling. It is the frontier of moved hot data, which is free unless hot data
/// is kept apart; in that case cold data has a frontier of its own anyway.
const LEVELLED: usize = HOT;

impl Translation {
    /// Make room in a pool for another block of host data of a stream and open it, unless collection left room
    /// in one.
    pub(super) fn room_for_host(
        &mut self,
        pool_index: u32,
        stream: usize,
        now_ns: u64,
    ) -> Result<Option<Collected>, Refusal> {
        let mut work = std::mem::take(&mut self.pools[pool_index as usize].unpaid);
        let made = self.make_room(pool_index, Some(stream), now_ns, &mut work);
        self.end_moved_page(pool_index, stream, &mut work);
        self.spread_wear(pool_index, stream, now_ns, &mut work);
        let lane = Lane::Host(stream);
        let mut opened = Ok(());
        if self.pools[pool_index as usize].frontier(lane).room() == 0 {
            if made.is_ok() {
                self.fold_for_host(pool_index, now_ns, &mut work);
                self.reclaim_for_host(pool_index, now_ns, &mut work);
            }
            opened = made.and_then(|()| self.open_block(pool_index, lane, Reason::LowWater, &mut work));
        }
        match opened {
            Ok(()) => Ok((!work.is_nothing()).then_some(work)),
            Err(refusal) => {
                self.pools[pool_index as usize].unpaid = work;
                Err(refusal)
            }
        }
    }

    /// Collect until the pool has enough free blocks again. When a host block is being opened and moved data goes
    /// with the host's, the room left in that block counts as one.
    pub(super) fn make_room(
        &mut self,
        pool_index: u32,
        opening: Option<usize>,
        now_ns: u64,
        work: &mut Collected,
    ) -> Result<(), Refusal> {
        if self.pools[pool_index as usize].free.len() as u32 > self.low_water_blocks {
            return Ok(());
        }
        loop {
            let pool = &self.pools[pool_index as usize];
            let host_has_room = opening.is_some_and(|stream| pool.host[stream].room() >= self.slots_per_page);
            if pool.free.len() as u32 + u32::from(host_has_room) >= self.high_water_blocks {
                return Ok(());
            }
            let victim = self.choose_victim(pool_index).ok_or(Refusal::NoFreeBlock)?;
            self.collect(pool_index, victim, opening, Reason::LowWater, now_ns, work)?;
        }
    }

    /// The policy's choice; `None` when collecting no block of the pool gains anything. A pSLC block always gains room,
    /// because its data takes only a part of a native block.
    pub(super) fn choose_victim(&mut self, pool_index: u32) -> Option<u32> {
        let pool = &mut self.pools[pool_index as usize];
        alive(pool.blocks.len() as u64 / 8);
        let victim = pool.victims.policy().choose(&self.blocks, pool.blocks.clone(), self.tally.placed_units)?;
        if self.stale_load(victim) > 0 {
            return Some(victim);
        }
        // Moving a full block gains nothing, but a policy that does not compare blocks may choose one. Collection ends
        // only when no block gains anything.
        let closed = self.pools[pool_index as usize].blocks.clone().filter(|&block| self.blocks.is_closed(block));
        let mut gains = closed.filter(|&block| self.stale_load(block) > 0);
        if self.fits_free_blocks(pool_index, victim) { gains.next().map(|_| victim) } else { gains.next() }
    }

    /// Fold pSLC blocks, if the settings say so for a full cache, until one more block may be pSLC.
    fn fold_for_host(&mut self, pool_index: u32, now_ns: u64, work: &mut Collected) {
        let when_full = self.pslc.as_ref().map(PslcBlocks::when_full);
        while when_full == Some(WhenFull::Fold) && !self.opens_as_pslc(pool_index) {
            let Some(block) = self.oldest_pslc_block(pool_index) else { return };
            // Without room for it, host data goes to native blocks.
            if self.collect(pool_index, block, None, Reason::Fold, now_ns, work).is_err() {
                return;
            }
        }
    }

    /// Erase blocks without valid data, if the settings say so, until one more block may be pSLC.
    fn reclaim_for_host(&mut self, pool_index: u32, now_ns: u64, work: &mut Collected) {
        let when_full = self.pslc.as_ref().map(PslcBlocks::when_full);
        while when_full == Some(WhenFull::Reclaim) && !self.opens_as_pslc(pool_index) {
            let Some(block) = self.choose_victim(pool_index) else { return };
            if self.blocks.valid_slots(block) > 0
                || self.collect(pool_index, block, None, Reason::LowWater, now_ns, work).is_err()
            {
                return;
            }
        }
    }

    /// True when the block opened last for host data was a native one because none may be pSLC.
    #[inline]
    pub fn goes_past_pslc(&self) -> bool {
        self.goes_past_pslc
    }

    /// True when the next block a pool opens for host data is pSLC.
    fn opens_as_pslc(&self, pool_index: u32) -> bool {
        let free_blocks = self.pools[pool_index as usize].free.len() as u32;
        self.pslc.as_ref().is_some_and(|pslc| pslc.may_open(pool_index, free_blocks))
    }

    /// Of the closed pSLC blocks of a pool, the one opened first.
    pub(super) fn oldest_pslc_block(&self, pool_index: u32) -> Option<u32> {
        self.pslc.as_ref()?.in_use(pool_index).find(|&block| self.blocks.is_closed(block))
    }

    /// Move the data of the least worn block when erase counts are too far apart and there is room to do so.
    fn spread_wear(&mut self, pool_index: u32, stream: usize, now_ns: u64, work: &mut Collected) {
        let Some(spread) = &self.static_spread else { return };
        let pool = &self.pools[pool_index as usize];
        // One block for the data that moves, one for the host if it still needs one.
        if pool.free.len() < 1 + usize::from(pool.host[stream].room() == 0) {
            return;
        }
        if let Some(block) = spread.least_worn(&self.blocks, pool_index, pool.blocks.clone()) {
            // Without room for it, erase counts stay as they are until the next attempt.
            let _ = self.collect(pool_index, block, None, Reason::WearLeveling, now_ns, work);
        }
    }

    /// Collect a closed block now, because its data is to be rewritten; one marked by
    /// `retire_after_read_failure` is taken out of use. Returns its pool and the work; `None` when the block is not
    /// closed, so that there is nothing to do now.
    pub fn refresh_step(&mut self, block: u32, now_ns: u64) -> Result<Option<(u32, Collected)>, Refusal> {
        if !self.blocks.is_closed(block) {
            return Ok(None);
        }
        let pool_index = self.pool_of_block(block);
        let mut work = std::mem::take(&mut self.pools[pool_index as usize].unpaid);
        let mut done = self.make_room(pool_index, None, now_ns, &mut work);
        // Making room may already have collected this block.
        if done.is_ok() && self.blocks.is_closed(block) {
            done = self.collect(pool_index, block, None, Reason::Refresh, now_ns, &mut work);
        }
        if let Err(refusal) = done {
            self.pools[pool_index as usize].unpaid = work;
            return Err(refusal);
        }
        Ok(Some((pool_index, work)))
    }

    /// Move the valid data of `victim` and erase it. `opening` is the stream that the host needs a block for.
    pub(super) fn collect(
        &mut self,
        pool_index: u32,
        victim: u32,
        opening: Option<usize>,
        reason: Reason,
        now_ns: u64,
        work: &mut Collected,
    ) -> Result<(), Refusal> {
        let valid_slots = self.blocks.valid_slots(victim);
        alive(valid_slots.into());
        let stream = self.ages.as_ref().map_or(COLD, |ages| ages.stream(victim, self.tally.placed_units));
        let with_host = self.moved_data == MovedData::WithHost && opening == Some(stream);
        let lane = match reason {
            // Cold data gets blocks of its own; otherwise it would be moved again and again with the warmer data around
            // it.
            Reason::WearLeveling => Lane::Moved(if self.ages.is_some() { COLD } else { LEVELLED }),
            _ if with_host => Lane::Host(stream),
            _ => Lane::Moved(stream),
        };
        let has_room = match &self.packing {
            None => self.has_room_for(pool_index, lane, valid_slots),
            Some(_) => self.has_room_for_packed(pool_index, lane, victim),
        };
        if !has_room {
            self.lose_free_blocks(pool_index, work);
            return Err(Refusal::NoFreeBlock);
        }
        let marked = !self.failures.marked.is_empty() && self.failures.marked.contains(&victim);
        let reason = if marked { Reason::ReadFailure } else { reason };
        self.remember(pool_index, victim, reason, now_ns);
        let from_pslc = self.mode_of_block(victim) == CellMode::Pslc;
        let before = *work;
        if valid_slots > 0 {
            self.move_all(pool_index, victim, lane, reason, work);
        }
        self.pools[pool_index as usize].victims.policy().collected(victim);
        work.erases += u32::from(self.erase_or_retire(pool_index, victim));
        if from_pslc {
            work.added_from_pslc(&before);
        }
        Ok(())
    }

    fn remember(&mut self, pool_index: u32, victim: u32, reason: Reason, now_ns: u64) {
        if self.decisions.len() == REMEMBERED_DECISIONS {
            self.decisions.pop_front();
        }
        self.decisions.push_back(Decision {
            at_ns: now_ns,
            pool: pool_index,
            block: victim,
            valid_slots: self.blocks.valid_slots(victim),
            free_blocks: self.pools[pool_index as usize].free.len() as u32,
            reason,
        });
    }

    /// True when `units` units, at most a block of them, can go to a frontier and the free blocks behind it.
    fn has_room_for(&self, pool_index: u32, lane: Lane, units: u32) -> bool {
        let pool = &self.pools[pool_index as usize];
        pool.frontier(lane).room() >= units || pool.free.iter().any(|&block| !self.fails_when_opened(block))
    }

    /// If the first program of each free block will fail, these blocks are tried one after another, and all are lost.
    #[cold]
    fn lose_free_blocks(&mut self, pool_index: u32, work: &mut Collected) {
        if self.pools[pool_index as usize].free.iter().any(|&block| !self.fails_when_opened(block)) {
            return;
        }
        while let Some(block) =
            take_free_block(self.free_block, &mut self.pools[pool_index as usize].free, &self.blocks)
        {
            self.program_failed(pool_index, block, work);
        }
    }

    /// Move all valid data of `victim` to a frontier that has room for it.
    fn move_all(&mut self, pool_index: u32, victim: u32, lane: Lane, reason: Reason, work: &mut Collected) {
        let mut survivors = std::mem::take(&mut self.survivors);
        survivors.clear();
        let first_slot = self.blocks.first_slot(victim);
        let slots = first_slot..first_slot + self.blocks.slots_per_block();
        let pages = self.map.valid_units(slots, self.slots_per_page, &mut survivors);
        debug_assert_eq!(survivors.len() as u32, self.blocks.valid_slots(victim));
        work.reads += pages;
        self.tally.gc_read_pages += u64::from(pages);
        self.tally.moved_units += survivors.len() as u64;
        match reason {
            Reason::LowWater => {}
            Reason::Idle => self.tally.idle_moved_units += survivors.len() as u64,
            Reason::WearLeveling => self.tally.wear_leveling_moved_units += survivors.len() as u64,
            Reason::ReadFailure | Reason::Refresh => self.tally.refresh_moved_units += survivors.len() as u64,
            Reason::Fold => self.tally.folded_units += survivors.len() as u64,
        }
        let unsettled = self.unsettled_in(victim, &survivors);
        let mut rest = survivors.as_slice();
        if self.packing.is_some() {
            self.move_packed(pool_index, victim, lane, reason, rest, work);
            rest = &[];
        }
        while !rest.is_empty() {
            let pool = &mut self.pools[pool_index as usize];
            if pool.frontier(lane).room() == 0 {
                self.open_block(pool_index, lane, reason, work).expect("there was room for all that is valid");
                continue;
            }
            let frontier = pool.frontier_mut(lane);
            let (now, later) = rest.split_at(rest.len().min(frontier.room() as usize));
            self.map.move_to(now, frontier.next_slot);
            let block = self.blocks.of_slot(frontier.next_slot);
            self.blocks.add_valid(block, now.len() as u32);
            let page_before = frontier.next_slot / self.slots_per_page;
            frontier.next_slot += now.len() as u32;
            let pages = frontier.next_slot / self.slots_per_page - page_before;
            let end_slot = frontier.end_slot;
            let is_last = frontier.room() == 0;
            let page_index = page_before - self.blocks.first_slot(block) / self.slots_per_page;
            self.count_moved_pages(page_index, pages, is_last, work);
            if let Lane::Host(_) = lane {
                self.blocks.add_programmed(block, now.len() as u32);
            }
            if let Some(ages) = &mut self.ages {
                ages.moved(victim, block);
            }
            if is_last {
                self.pools[pool_index as usize].close(&mut self.blocks, end_slot, self.tally.placed_units);
            }
            rest = later;
        }
        self.note_unsettled(unsettled);
        self.survivors = survivors;
    }

    /// Count complete pages of moved data and the stripes that end with them; `is_last` when their block is full.
    pub(super) fn count_moved_pages(&mut self, page_index: u32, pages: u32, is_last: bool, work: &mut Collected) {
        let parity_pages = self.parity.parity_pages(page_index, pages, is_last);
        work.add_programs(self.parity.place(page_index), pages + parity_pages);
        self.tally.gc_pages += u64::from(pages);
        self.tally.parity_pages += u64::from(parity_pages);
    }

    /// Complete the last page of moved data in a host frontier: the host's data begins in a new page, so a power cut
    /// destroys no moved data.
    fn end_moved_page(&mut self, pool_index: u32, stream: usize, work: &mut Collected) {
        let pool = &mut self.pools[pool_index as usize];
        let frontier = &mut pool.host[stream];
        let begun = frontier.next_slot % self.slots_per_page;
        let empty_slots = self.packing.as_mut().map(|packing| packing.end_moved_page(pool_index, Lane::Host(stream)));
        if frontier.room() == 0 || begun == 0 {
            return;
        }
        let padding = self.slots_per_page - begun;
        let block = self.blocks.of_slot(frontier.next_slot);
        let page_index = (frontier.next_slot - self.blocks.first_slot(block)) / self.slots_per_page;
        for slot in frontier.next_slot..frontier.next_slot + padding {
            self.map.leave_empty(slot);
        }
        frontier.next_slot += padding;
        self.blocks.add_programmed(block, padding);
        self.tally.padded_slots += u64::from(empty_slots.unwrap_or(padding));
        self.tally.unused_entries += u64::from(empty_slots.map_or(0, |_| padding));
        let end_slot = frontier.end_slot;
        let is_last = frontier.room() == 0;
        if is_last {
            pool.close(&mut self.blocks, end_slot, self.tally.placed_units);
        }
        self.count_moved_pages(page_index, 1, is_last, work);
    }

    /// Continue a full frontier in a free block. Blocks whose first program fails are retired on the way.
    pub(super) fn open_block(
        &mut self,
        pool_index: u32,
        lane: Lane,
        reason: Reason,
        work: &mut Collected,
    ) -> Result<(), Refusal> {
        let as_pslc = matches!(lane, Lane::Host(_)) && self.opens_as_pslc(pool_index);
        loop {
            let pool = &mut self.pools[pool_index as usize];
            let taken = match reason {
                // Data that is never overwritten keeps its block from wearing, so it goes to a worn block.
                Reason::WearLeveling => take_most_worn(&mut pool.free, &self.blocks),
                _ => take_free_block(self.free_block, &mut pool.free, &self.blocks),
            };
            let block = taken.ok_or(Refusal::NoFreeBlock)?;
            if self.fails_when_opened(block) {
                self.program_failed(pool_index, block, work);
                continue;
            }
            let state = match lane {
                Lane::Host(_) => BlockState::OpenForHost,
                Lane::Moved(_) => BlockState::OpenForGc,
            };
            self.blocks.open(block, state);
            match (&mut self.ages, lane) {
                (Some(ages), Lane::Host(_)) => ages.opened_for_host(block, self.tally.placed_units),
                (Some(ages), Lane::Moved(_)) => ages.opened_for_moved(block),
                (None, _) => {}
            }
            if let Some(spread) = &mut self.static_spread {
                spread.opened(pool_index, block);
            }
            let next_slot = self.blocks.first_slot(block);
            let mut end_slot = next_slot + self.blocks.slots_per_block();
            if matches!(lane, Lane::Host(_)) {
                self.goes_past_pslc = self.pslc.is_some() && !as_pslc;
            }
            if let (Some(pslc), true) = (&mut self.pslc, as_pslc) {
                pslc.opened(pool_index, block);
                end_slot = next_slot + pslc.slots();
            }
            *self.pools[pool_index as usize].frontier_mut(lane) = Frontier { next_slot, end_slot };
            return Ok(());
        }
    }
}
