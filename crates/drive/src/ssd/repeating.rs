//! Writing in order that repeats itself is passed over: the rest of the repetitions is added, exactly.
//!
//! ```text
//!   block opened | ~~ settles ~~ | period | the same ... passed over ... | last pages: played | block opened | ...
//!                               noted   same numbers again
//! ```
//!
//! A drive that is written in order does the same again and again, some microseconds later and some megabytes further
//! on. Its *course* is everything on which the next events depend, in numbers that count from the present moment, the
//! next request and the page being filled: requests on their way, the buffer, pages under way, banks, channels, the
//! agenda. When the numbers are those of an earlier moment, the events since then repeat themselves, to the nanosecond,
//! until something happens that is not among the numbers. Such things happen only where a block is opened or closed
//! (collection, wear levelling, failures, another cell mode), so the last page of a block is always played, and nothing
//! is passed over while a collection, a read or a trim is under way or owed.
//!
//! Passing over `n` periods moves every time by n periods and every address by the bytes written in them, places the
//! units (`translation/in_order.rs`), and adds n times what was counted in one.
//!
//! Not passed over: drives with log blocks, compression, hot and cold apart, lifetime throttling, or less
//! capacity than they show; requests that begin or end within a unit, or go through a sorted buffer; idle time; reads.

use super::Ssd;
use super::life::Life;
use super::under_way::{OpenPageUse, Token};
use crate::course::{Course, InOrder};
use flashscope_ftl::translation::{HostPlace, Tally};
use flashscope_ftl::{Translation, TranslationLayer};

/// What one period writes.
struct Period {
    ns: u64,
    units: u32,
    pages_per_pool: u32,
}

impl Ssd {
    pub(super) fn point_of_repetition(&self) -> u64 {
        match &self.translation {
            TranslationLayer::PageMapped(layer) => layer.point() ^ self.buffer.state() << 40,
            TranslationLayer::LogBlock(_) => 0,
        }
    }

    pub(super) fn course_of(&self, writes: InOrder, submitted_ns: &dyn Fn(u32) -> u64) -> Option<Course> {
        let TranslationLayer::PageMapped(layer) = &self.translation else { return None };
        if !self.only_writes() {
            return None;
        }
        let unit_bytes = 1 << self.unit_shift;
        let first_bytes = self.first_unplaced_bytes(writes);
        if [writes.next_offset_bytes, writes.length_bytes, first_bytes].iter().any(|bytes| bytes % unit_bytes != 0) {
            return None;
        }
        let first_unplaced = (first_bytes >> self.unit_shift) as u32;
        let mut numbers = Vec::with_capacity(256);
        numbers.extend([self.buffer.state(), self.now_ns.wrapping_sub(self.last_arrival_ns)]);
        numbers.extend([u64::from(self.nothing_to_collect), u64::from(self.nothing_to_fold)]);
        if !layer.state_in_order(&mut numbers) || !self.state_of_regions(first_unplaced, &mut numbers) {
            return None;
        }
        let blocks = self.state_of_places(layer, &mut numbers)?;
        for &number in &self.stalled {
            numbers.push(self.host.name_in_order(number, writes)?);
        }
        numbers.push(u64::MAX);
        for page in &self.open_pages {
            numbers.extend(self.state_of_page(layer, page, writes)?);
        }
        let host_busy_ns = self.host.state_in_order(self.now_ns, writes, submitted_ns, &mut numbers)?;
        let busy = self.array.state_in_order(self.now_ns, &mut numbers, |token| match token {
            Token::Page(page) => self.state_of_page(layer, self.pages.get(page), writes),
            Token::Parity => Some([u64::MAX; 3]),
            Token::HostRead { .. } | Token::Modify(_) => None,
        })?;
        Some(Course {
            at_ns: self.now_ns,
            writes,
            first_unplaced,
            numbers,
            blocks,
            busy,
            host_busy_ns,
            counts: self.counters.values(),
            tally: layer.tally(),
            buffer_tally: self.buffer.tally(),
        })
    }

    /// True when no other work is under way or owed, and nothing but time and pages decides what a write does.
    fn only_writes(&self) -> bool {
        self.life == Life::Good
            && self.config.throttle.is_none()
            && !self.config.capacity.is_counterfeit()
            && self.noted_trims.is_empty()
            && self.modifies.is_empty()
            && self.flushing.is_empty()
            && !self.room_came_back
            && self.merges.is_idle()
            && self.buffer.waiting_units() == 0
            && self.owed.iter().all(|owed| owed.is_nothing())
    }

    /// Where the first data begins that has no place in a page.
    fn first_unplaced_bytes(&self, writes: InOrder) -> u64 {
        let stalled = self.stalled.front().map(|&number| self.host.not_taken_bytes(number));
        let first = [stalled, self.host.first_to_arrive_bytes()].into_iter().flatten().min();
        first.unwrap_or(writes.next_offset_bytes)
    }

    /// The state of regions and runs of a drive that cannot map all of them finely; false while the writing is within a
    /// region. A region written from its first unit on needs no table, and gives back the one it has.
    fn state_of_regions(&self, first_unplaced: u32, numbers: &mut Vec<u64>) -> bool {
        if self.fine_map.as_ref().is_some_and(|map| !map.begins_region(first_unplaced)) {
            return false;
        }
        let (units_per_run, rest) = (self.open_run.units_per_run, &self.open_run.rest);
        if units_per_run > 0 {
            let in_run = first_unplaced % units_per_run;
            let goes_on = if rest.is_empty() { in_run == 0 } else { rest.start == first_unplaced };
            let goes_past = self.translation.goes_past_pslc();
            if if goes_past { !goes_on } else { !rest.is_empty() } {
                return false;
            }
            numbers.extend([u64::from(goes_past), u64::from(in_run), u64::from(rest.is_empty())]);
        }
        true
    }

    /// The block of every pool, and where in a pattern of banks and program times, and in its stripe, its next page lies.
    fn state_of_places(&self, layer: &Translation, numbers: &mut Vec<u64>) -> Option<Vec<u32>> {
        let geometry = &self.config.geometry;
        let banks = geometry.erase_blocks_per_pool_block();
        let latencies = self.config.timing.program_latencies_ns.len() as u32;
        let mut blocks = Vec::with_capacity(geometry.pool_count() as usize);
        for pool in 0..geometry.pool_count() {
            let HostPlace { block, page_index, .. } = layer.host_place(pool)?;
            blocks.push(block);
            if banks > 1 || latencies > 1 {
                numbers.push(u64::from(self.parity.place(page_index) % (banks * latencies)));
            }
            numbers.push(u64::from(page_index % self.parity.data_pages_per_stripe()));
        }
        Some(blocks)
    }

    /// A page under way, or being filled: its pool, how far it is behind the page being filled, and what waits for it.
    fn state_of_page(&self, layer: &Translation, page: &OpenPageUse, writes: InOrder) -> Option<[u64; 3]> {
        let place = match &page.page {
            Some(open) => u64::from(open.pool) << 32 | u64::from(layer.pages_behind(open)?),
            None => u64::MAX,
        };
        let request = match page.request {
            Some(number) => self.host.name_in_order(number, writes)?,
            None => 0,
        };
        (!page.has_merged).then_some([place, u64::from(page.buffered_units), request])
    }

    /// What the period from `earlier` to `now` wrote, if the same can follow.
    fn period(&self, earlier: &Course, now: &Course) -> Option<Period> {
        let ns = now.at_ns.checked_sub(earlier.at_ns).filter(|&ns| ns > 0)?;
        if now.numbers != earlier.numbers
            || now.blocks != earlier.blocks
            || now.buffer_tally != earlier.buffer_tally
            || !now.busy.goes_on_as_since(&earlier.busy, ns)
        {
            return None;
        }
        let units = now.writes.next_offset_bytes.checked_sub(earlier.writes.next_offset_bytes)? >> self.unit_shift;
        let (slots_per_page, pools) = (self.config.slots_per_page(), self.config.geometry.pool_count());
        let pages = units / u64::from(slots_per_page);
        let pslc_pages = now.tally.pslc_host_pages - earlier.tally.pslc_host_pages;
        let pages_per_pool = (pages / u64::from(pools)) as u32;
        let places_per_pool = self.parity.place(pages_per_pool);
        let written = Tally {
            placed_units: earlier.tally.placed_units + units,
            host_pages: earlier.tally.host_pages + pages,
            pslc_host_pages: earlier.tally.pslc_host_pages + pslc_pages,
            parity_pages: earlier.tally.parity_pages + u64::from((places_per_pool - pages_per_pool) * pools),
            ..earlier.tally
        };
        let is_whole = pages * u64::from(slots_per_page) == units && pages.is_multiple_of(u64::from(pools));
        let banks = self.config.geometry.erase_blocks_per_pool_block();
        let latencies = self.config.timing.program_latencies_ns.len() as u32;
        let in_step = pages_per_pool.is_multiple_of(self.parity.data_pages_per_stripe())
            && places_per_pool.is_multiple_of(banks * latencies)
            && (pslc_pages == 0 || pslc_pages == pages);
        (is_whole && in_step && pages_per_pool > 0 && now.tally == written && u64::from(now.first_unplaced) >= units)
            .then_some(Period { ns, units: units as u32, pages_per_pool })
    }

    pub(super) fn periods_that_follow(&self, earlier: &Course, now: &Course) -> Option<u64> {
        let TranslationLayer::PageMapped(layer) = &self.translation else { return None };
        let period = self.period(earlier, now)?;
        let pools = 0..self.config.geometry.pool_count();
        let pages_left = pools.map(|pool| layer.host_place(pool).map_or(0, |place| place.pages_left)).min();
        // The page being filled, and the last page of the block, are played.
        Some(u64::from(pages_left.unwrap_or(0).saturating_sub(2) / period.pages_per_pool))
    }

    pub(super) fn pass_over_periods(&mut self, earlier: &Course, now: &Course, times: u64) {
        let Some(Period { ns, units, pages_per_pool }) = self.period(earlier, now) else { return };
        let (units, pages_per_pool) = (units * times as u32, pages_per_pool * times as u32);
        let (by_ns, by_bytes) = (ns * times, u64::from(units) << self.unit_shift);
        let TranslationLayer::PageMapped(layer) = &mut self.translation else { return };
        let passed = now.first_unplaced..now.first_unplaced + units;
        let placed = layer.place_run(passed.clone(), false);
        assert_eq!(placed, units, "no block was opened or closed");
        layer.programmed_in_order(pages_per_pool);
        for open in self.pages.iter_mut().filter_map(|page| page.page.as_mut()) {
            open.page_index += pages_per_pool;
        }
        let places_per_pool = self.parity.place(pages_per_pool);
        let in_erase_block = places_per_pool / self.config.geometry.erase_blocks_per_pool_block();
        self.array.pass_over(&earlier.busy, ns, times, |page_index| page_index + in_erase_block);
        self.host.pass_over(earlier.host_busy_ns, times, by_ns, by_bytes);
        for (count, before) in self.counters.values_mut().into_iter().zip(&earlier.counts) {
            *count += times * (*count - before);
        }
        self.open_run.move_on(units, self.config.unit_count() as u32);
        // All regions that were written, and those of the run that is open then.
        self.forget_fine_tables(passed.start, passed.end.max(self.open_run.rest.end));
        self.last_arrival_ns += by_ns;
        self.now_ns += by_ns;
    }
}
