//! The layer compared with a slow and simple one, which keeps blocks as lists of pages and finds everything by search:
//! every page is in the same place, every counter is the same.

use super::super::MergeTally;
use super::*;
use flashscope_kernel::random::below;

/// A programmed page: its unit, and how many writes the drive had seen.
type Page = Option<(u32, u64)>;

/// A log block with its pages; no owner when it is shared.
#[derive(Clone)]
struct Log {
    owner: Option<u32>,
    pages: Vec<Page>,
}

struct Reference {
    association: Association,
    log_blocks: usize,
    newest: Vec<Option<u64>>,
    /// The data block of each logical block.
    data: Vec<Option<Vec<Page>>>,
    /// The next victim first.
    logs: Vec<Log>,
    sequential: Option<Log>,
    writes: u64,
    copies: u64,
    erases: u64,
    merges: MergeTally,
}

impl Reference {
    fn is_valid(&self, page: &Page) -> bool {
        page.is_some_and(|(unit, version)| self.newest[unit as usize] == Some(version))
    }

    /// A page that was copied to a data block is not valid in its log block any more.
    fn is_valid_in_log(&self, page: &Page) -> bool {
        self.is_valid(page) && !self.data.iter().flatten().any(|data| data.contains(page))
    }

    fn log_is_empty(&self, log: &Log) -> bool {
        !log.pages.iter().any(|page| self.is_valid_in_log(page))
    }

    fn put(pages: &mut Vec<Page>, offset: u32, page: Page) {
        pages.resize(offset as usize, None);
        pages.push(page);
    }

    fn write(&mut self, unit: u32) {
        let (logical, offset) = (unit / PAGES, unit % PAGES);
        let new = Some((unit, self.writes));
        match self.data[logical as usize].take() {
            Some(data) if data.len() as u32 > offset => {
                self.data[logical as usize] = Some(data);
                self.overwrite(logical, offset, new);
            }
            data => {
                let mut data = data.unwrap_or_default();
                Self::put(&mut data, offset, new);
                self.data[logical as usize] = Some(data);
            }
        }
        self.newest[unit as usize] = Some(self.writes);
        self.writes += 1;
    }

    fn overwrite(&mut self, logical: u32, offset: u32, new: Page) {
        let own = |log: &&Log| log.owner == Some(logical);
        let own_logs_empty = self.logs.iter().chain(&self.sequential).filter(own).all(|log| self.log_is_empty(log));
        let data = self.data[logical as usize].as_ref().expect("it is overwritten");
        if !data.iter().any(|page| self.is_valid(page)) && own_logs_empty {
            self.merges.emptied_data_blocks += 1;
            self.erases += 1;
            self.drop_own_log(logical);
            let mut fresh = vec![];
            Self::put(&mut fresh, offset, new);
            self.data[logical as usize] = Some(fresh);
        } else if self.log_blocks == 0 {
            self.merges.rewritten_blocks += 1;
            self.newest[(logical * PAGES + offset) as usize] = None;
            self.full_merge(logical, &[]);
            let data = self.data[logical as usize].as_mut().expect("just merged");
            data.resize(data.len().max(offset as usize + 1), None);
            data[offset as usize] = new;
        } else if self.association == Association::Block {
            self.overwrite_in_own_log(logical, new);
        } else if offset == 0 {
            if let Some(log) = self.sequential.take() {
                self.merge(log);
            }
            self.sequential = Some(Log { owner: Some(logical), pages: vec![new] });
        } else if let Some(log) =
            self.sequential.as_mut().filter(|log| log.owner == Some(logical) && log.pages.len() as u32 == offset)
        {
            log.pages.push(new);
        } else if let Some(log) = self.logs.last_mut().filter(|log| log.pages.len() < PAGES as usize) {
            log.pages.push(new);
        } else {
            self.begin_log(Log { owner: None, pages: vec![new] });
        }
    }

    fn overwrite_in_own_log(&mut self, logical: u32, new: Page) {
        let Some(index) = self.logs.iter().position(|log| log.owner == Some(logical)) else {
            return self.begin_log(Log { owner: Some(logical), pages: vec![new] });
        };
        let mut log = self.logs.remove(index);
        if log.pages.len() == PAGES as usize {
            self.merge(log);
            self.write(new.expect("a page of data").0);
            self.writes -= 1;
        } else {
            log.pages.push(new);
            self.logs.push(log);
        }
    }

    fn begin_log(&mut self, log: Log) {
        if self.logs.len() == self.log_blocks {
            let victim = self.logs.remove(0);
            self.merge(victim);
        }
        self.logs.push(log);
    }

    fn merge(&mut self, log: Log) {
        if self.log_is_empty(&log) {
            self.merges.discarded_log_blocks += 1;
        } else if let Some(owner) = log.owner {
            let in_order = |(page, unit): (&Page, u32)| page.is_some_and(|(held, _)| held == unit);
            if log.pages.iter().zip(owner * PAGES..).all(in_order) {
                return self.take_over(owner, log.pages);
            }
            self.merges.full_merges += 1;
            self.full_merge(owner, &log.pages);
        } else {
            for logical in log.pages.iter().flatten().map(|(unit, _)| unit / PAGES) {
                let of_it = |page: &&Page| page.is_some_and(|(unit, _)| unit / PAGES == logical);
                if log.pages.iter().filter(of_it).any(|page| self.is_valid_in_log(page)) {
                    self.merges.full_merges += 1;
                    self.full_merge(logical, &log.pages);
                }
            }
        }
        self.erases += 1;
    }

    fn take_over(&mut self, owner: u32, mut log: Vec<Page>) {
        let whole = log.len() == PAGES as usize;
        self.merges.switch_merges += u64::from(whole);
        self.merges.partial_merges += u64::from(!whole);
        let data = self.data[owner as usize].take().unwrap_or_default();
        for (offset, page) in (0..).zip(data).skip(log.len()) {
            if self.is_valid(&page) {
                Self::put(&mut log, offset, page);
                self.copies += 1;
            }
        }
        self.data[owner as usize] = Some(log);
        self.erases += 1;
    }

    fn full_merge(&mut self, logical: u32, victim: &[Page]) {
        let data = self.data[logical as usize].take().unwrap_or_default();
        let logs = self.logs.iter().chain(&self.sequential).flat_map(|log| &log.pages);
        let mut found: Vec<Page> =
            data.iter().chain(logs).chain(victim).filter(|page| self.is_valid(page)).copied().collect();
        found.retain(|page| page.is_some_and(|(unit, _)| unit / PAGES == logical));
        found.sort();
        found.dedup();
        let mut merged = vec![];
        for page in found {
            Self::put(&mut merged, page.map_or(0, |(unit, _)| unit % PAGES), page);
            self.copies += 1;
        }
        self.data[logical as usize] = Some(merged);
        self.erases += 1;
        self.drop_own_log(logical);
    }

    /// The place in its block of the newest page of a unit.
    fn page_index(&self, unit: u32) -> Option<u32> {
        let page = Some((unit, self.newest[unit as usize]?));
        let logs = self.logs.iter().chain(&self.sequential).map(|log| &log.pages);
        let mut blocks = self.data.iter().flatten().chain(logs);
        let index = blocks.find_map(|pages| pages.iter().position(|held| *held == page));
        Some(index.expect("a valid page lies somewhere") as u32)
    }

    fn drop_own_log(&mut self, logical: u32) {
        let before = self.logs.len() + usize::from(self.sequential.is_some());
        self.logs.retain(|log| log.owner != Some(logical));
        self.sequential.take_if(|log| log.owner == Some(logical));
        self.erases += (before - self.logs.len() - usize::from(self.sequential.is_some())) as u64;
    }
}

#[test]
fn the_layer_and_a_slow_obvious_one_agree_on_every_counter_and_every_place() {
    let logical_blocks = 12;
    for association in [Association::Block, Association::Full] {
        for log_block_count in [0, 1, 2, 5] {
            let mut layer = drive(logical_blocks, PAGES, association, log_block_count);
            let mut reference = Reference {
                association,
                log_blocks: log_block_count as usize,
                newest: vec![None; (logical_blocks * PAGES) as usize],
                data: vec![None; logical_blocks as usize],
                logs: vec![],
                sequential: None,
                writes: 0,
                copies: 0,
                erases: 0,
                merges: MergeTally::default(),
            };
            let mut chance = Streams::new(3).stream("twin");
            let mut below = |bound: u32| below(&mut chance, bound.into()) as u32;
            for _ in 0..4000 {
                let unit = below(logical_blocks * PAGES);
                let (first, count) = match below(10) {
                    0..5 => (unit, 1),
                    5 => (unit - unit % PAGES, PAGES),
                    6 => (unit - unit % PAGES, unit % PAGES),
                    7 => (unit % (3 * PAGES), 1),
                    8 => (unit, (PAGES - unit % PAGES).min(3)),
                    _ => {
                        layer.trim(unit);
                        reference.newest[unit as usize] = None;
                        continue;
                    }
                };
                for unit in first..first + count {
                    place(&mut layer, unit);
                    reference.write(unit);
                }
                let tally = layer.tally();
                assert_eq!(layer.merges(), reference.merges);
                assert_eq!((tally.gc_pages, tally.erased_blocks), (reference.copies, reference.erases));
                for unit in 0..logical_blocks * PAGES {
                    let slot = layer.slot(unit);
                    let found = (slot != NOWHERE).then(|| layer.place_of_slot(slot).1);
                    assert_eq!(found, reference.page_index(unit), "unit {unit}");
                }
            }
            layer.check();
        }
    }
}
