//! A host that does anything a host may do, at random, and has every invariant checked on the way.

use crate::books::{Books, Note};
use crate::invariants::{self as holds, Counts};
use flashscope_drive::ssd::Life;
use flashscope_drive::{Drive, Inside, Request, RequestKind, Status, VirtualDrive, snapshot};
use flashscope_kernel::random::{Stream, Streams, below};
use std::collections::BTreeMap;

const MS: u64 = 1_000_000;

/// A request without an answer.
pub struct Asked {
    pub request: Request,
    pub at_ns: u64,
    note: Note,
}

/// Sums of the requests that were sent to a drive.
#[derive(Clone, Debug, Default)]
pub struct Sums {
    /// Requests and bytes by kind: those carried out, and those lost in a power cut.
    answered: BTreeMap<&'static str, (u64, u64)>,
    lost: BTreeMap<&'static str, (u64, u64)>,
    /// Units touched by writes, counted once per write: by all writes, and by those that were carried out.
    pub write_pieces: u64,
    pub done_pieces: u64,
    pub cuts: u64,
    pub erases: u64,
}

impl Sums {
    pub fn answered(&self, kind: RequestKind) -> (u64, u64) {
        self.answered.get(name(kind)).copied().unwrap_or_default()
    }

    pub fn lost(&self, kind: RequestKind) -> (u64, u64) {
        self.lost.get(name(kind)).copied().unwrap_or_default()
    }
}

fn name(kind: RequestKind) -> &'static str {
    match kind {
        RequestKind::Read => "read",
        RequestKind::Write => "write",
        RequestKind::Trim => "trim",
        RequestKind::Flush => "flush",
    }
}

/// See the module's header.
pub struct Host {
    drive: VirtualDrive,
    chance: Stream,
    /// Save and restore the drive where the operations say so.
    restoring: bool,
    /// Most requests that it keeps outstanding.
    depth: usize,
    outstanding: BTreeMap<u32, Asked>,
    answered_ns: u64,
    seen_ns: u64,
    counts: Counts,
    sums: Sums,
    /// Only for solid-state drives.
    books: Option<Books>,
    refused_units: u64,
    /// The inside of a drive at its end.
    at_the_end: Option<Inside>,
}

impl Host {
    pub fn new(drive: VirtualDrive, seed: u64, restoring: bool) -> Self {
        Self {
            books: drive.ssd().map(|ssd| Books::new(ssd.config())),
            chance: Streams::new(seed).stream("checkers operations"),
            restoring,
            depth: 1,
            outstanding: BTreeMap::new(),
            answered_ns: 0,
            seen_ns: 0,
            counts: drive.counters(),
            sums: Sums::default(),
            refused_units: 0,
            at_the_end: None,
            drive,
        }
    }

    pub fn into_drive(self) -> VirtualDrive {
        self.drive
    }

    fn draw(&mut self, bound: u64) -> u64 {
        below(&mut self.chance, bound)
    }

    /// One random operation, and the invariants that are cheap to check.
    pub fn operate(&mut self) {
        match self.draw(1000) {
            0..500 if self.outstanding.len() < self.depth => self.submit_any(),
            0..800 => self.take(u64::MAX),
            800..900 => {
                let pause_ns = self.draw(3 * MS);
                self.wait(pause_ns);
            }
            900..930 => self.depth = [1, 2, 8, 40][self.draw(4) as usize],
            930..950 => {
                let nothing = Request { kind: RequestKind::Flush, offset_bytes: 0, length_bytes: 0, compressible: 0 };
                self.submit(nothing);
            }
            950..965 => {
                self.drain();
                let duration_ns = [MS, 40 * MS, 400 * MS, 10_000 * MS][self.draw(4) as usize];
                self.idle(duration_ns);
            }
            965..980 => self.save_and_restore(),
            980..990 => self.power_cut(),
            990..994 => self.power_off(),
            994 => self.secure_erase(),
            _ => self.drain(),
        }
        self.look();
    }

    /// Invariants that are checked after every operation.
    fn look(&mut self) {
        holds::time_never_goes_back(self.seen_ns, &self.drive);
        self.seen_ns = self.drive.now_ns();
        let counts = self.drive.counters();
        holds::counters_never_fall(&self.counts, &counts);
        self.counts = counts;
    }

    /// Invariants that take longer to check.
    pub fn look_closely(&mut self) {
        holds::all_drives_add_up(&self.drive);
        if self.outstanding.is_empty() {
            holds::requests_are_counted_once(&self.drive.counters(), &self.sums);
        }
        if self.drive.ssd().is_some_and(|ssd| ssd.life() != Life::Good) && self.at_the_end.is_none() {
            self.come_to_the_end();
        }
        let (Some(ssd), Some(books)) = (self.drive.ssd(), &self.books) else { return };
        let inside = ssd.inside();
        holds::every_block_is_accounted_for(ssd, &inside);
        holds::erases_add_up(ssd, &inside);
        holds::no_more_is_mapped_than_there_is(ssd, &inside);
        holds::work_takes_time(ssd, &inside);
        holds::bytes_on_flash_are_host_moved_or_filling(ssd, &self.sums);
        if !ssd.config().geometry.superblock {
            holds::what_is_safe_is_mapped(books.safe_units().len(), &inside);
        }
        if let Some(at_the_end) = &self.at_the_end {
            holds::a_drive_at_its_end_changes_nothing(at_the_end, &inside);
        }
    }

    /// Requests under way still end; from then on nothing changes.
    fn come_to_the_end(&mut self) {
        self.drain();
        self.idle(10_000 * MS);
        self.at_the_end = self.drive.ssd().map(|ssd| ssd.inside());
    }

    fn submit_any(&mut self) {
        let kind = match self.draw(100) {
            0..60 => RequestKind::Write,
            60..90 => RequestKind::Read,
            _ => RequestKind::Trim,
        };
        let sectors = self.drive.user_bytes() / 512;
        let (mut first, mut count) = match self.draw(4) {
            0 => (self.draw(sectors), 1 + self.draw(64)),
            1 => (self.draw(sectors / 8 + 1) * 8, 8),
            2 => (self.draw(sectors / 64 + 1) * 8, 8),
            _ => (self.draw(sectors.div_ceil(16)), 1 + self.draw(9)),
        };
        if self.draw(200) > 0 {
            first = first.min(sectors - 1);
            count = count.min(sectors - first);
        }
        let compressible = self.draw(256) as u8;
        self.submit(Request { kind, offset_bytes: first * 512, length_bytes: count * 512, compressible });
    }

    fn submit(&mut self, request: Request) {
        let at_ns = self.seen_ns.max(self.drive.now_ns());
        let tag = (0..).find(|tag| !self.outstanding.contains_key(tag)).unwrap_or(0);
        self.drive.submit(at_ns, tag, request);
        let in_range = request.offset_bytes + request.length_bytes <= self.drive.user_bytes();
        let mut note = Note::default();
        if let Some(books) = self.books.as_mut().filter(|_| in_range) {
            note = books.submitted(&request);
            if request.kind == RequestKind::Write {
                self.sums.write_pieces += books.touched(&request).len() as u64;
            }
        }
        self.outstanding.insert(tag, Asked { request, at_ns, note });
    }

    /// Take the next answer, if it comes by that time.
    fn take(&mut self, until_ns: u64) {
        if let Some(answer) = self.drive.next_completion(until_ns) {
            let asked = self.outstanding.remove(&answer.tag);
            let asked = asked.unwrap_or_else(|| panic!("{answer:?} answers nothing that was asked"));
            holds::answers_come_in_order(self.answered_ns, &answer, &self.drive);
            holds::answers_take_command_and_link(&asked, &answer, &self.drive);
            holds::statuses_have_reasons(&asked, &answer, &self.drive);
            assert!(answer.at_ns <= until_ns, "{answer:?} comes after {until_ns} ns");
            self.answered_ns = answer.at_ns;
            self.note_answer(asked, answer.status);
        } else {
            let all_are_answered = until_ns < u64::MAX || self.outstanding.is_empty();
            let asked: Vec<&Request> = self.outstanding.values().map(|asked| &asked.request).collect();
            assert!(all_are_answered, "never answered: {asked:?}");
        }
    }

    fn note_answer(&mut self, asked: Asked, status: Status) {
        let request = asked.request;
        let carried_out = matches!(status, Status::Done | Status::Unreadable) || self.was_counted(&request, status);
        if carried_out {
            let sum = self.sums.answered.entry(name(request.kind)).or_default();
            (sum.0, sum.1) = (sum.0 + 1, sum.1 + request.length_bytes);
        } else if status != Status::OutOfRange && status != Status::NotSupported {
            // A write that was under way at the end of the drive was counted, one that came later was not.
            let sum = self.sums.lost.entry(name(request.kind)).or_default();
            (sum.0, sum.1) = (sum.0 + 1, sum.1 + request.length_bytes);
        }
        let Some(books) = &mut self.books else { return };
        if status == Status::Done && request.kind == RequestKind::Write {
            self.sums.done_pieces += books.touched(&request).len() as u64;
        }
        let refused_units = self.drive.ssd().map_or(0, |ssd| ssd.counters().refused_units);
        if refused_units > self.refused_units {
            self.refused_units = refused_units;
            books.doubt_answers();
        }
        books.answered(request.kind, status, asked.note);
    }

    /// A stripe counts all requests inside its range, however they ended.
    fn was_counted(&self, _request: &Request, status: Status) -> bool {
        matches!(self.drive, VirtualDrive::Stripe(_)) && status != Status::OutOfRange
    }

    /// Let time pass while requests are under way.
    fn wait(&mut self, pause_ns: u64) {
        let until_ns = self.drive.now_ns() + pause_ns;
        loop {
            let before = self.outstanding.len();
            self.take(until_ns);
            if self.outstanding.len() == before {
                break;
            }
        }
        // The host's next request comes no earlier.
        self.seen_ns = until_ns.max(self.seen_ns);
        let at_ns = self.seen_ns;
        let read = Request { kind: RequestKind::Read, offset_bytes: 0, length_bytes: 512, compressible: 0 };
        self.submit(read);
        assert_eq!(self.drive.now_ns(), at_ns, "it is the time of the submission");
    }

    pub fn drain(&mut self) {
        while !self.outstanding.is_empty() {
            self.take(u64::MAX);
        }
        assert_eq!(self.drive.next_completion(u64::MAX), None, "an answer that nobody waits for");
    }

    fn idle(&mut self, duration_ns: u64) {
        let until_ns = self.drive.now_ns() + duration_ns;
        flashscope_drive::Member::idle(&mut self.drive, duration_ns);
        assert_eq!(self.drive.now_ns(), until_ns, "it was idle for as long as it was left alone");
    }

    fn save_and_restore(&mut self) {
        if self.restoring {
            let restored = snapshot::restore(&snapshot::take(&self.drive));
            self.drive = restored.unwrap_or_else(|error| panic!("{error}"));
        }
    }

    fn is_at_its_end(&self) -> bool {
        self.drive.ssd().is_some_and(|ssd| ssd.life() != Life::Good)
    }

    fn power_cut(&mut self) {
        if self.is_at_its_end() {
            return;
        }
        let Some(ssd) = self.drive.ssd_mut() else { return };
        let before = ssd.counters();
        let lost_units = ssd.power_cut();
        let after = ssd.counters();
        assert_eq!(after.lost_units - before.lost_units, lost_units);
        assert_eq!(after.power_cuts - before.power_cuts, 1);
        let died = ssd.life() != Life::Good;
        let kept = ssd.config().buffer.capacitor && !died && after.refused_units == before.refused_units;
        self.sums.cuts += 1;
        for (_, asked) in std::mem::take(&mut self.outstanding) {
            let sum = self.sums.lost.entry(name(asked.request.kind)).or_default();
            (sum.0, sum.1) = (sum.0 + 1, sum.1 + asked.request.length_bytes);
        }
        assert_eq!(self.drive.next_completion(u64::MAX), None, "what was cut off is never answered");
        if let Some(books) = &mut self.books {
            if kept {
                books.written_out();
            }
            books.cut();
        }
        self.look_closely();
        self.read_what_is_safe();
    }

    /// Some of the data that must have survived a power cut is read back from flash.
    fn read_what_is_safe(&mut self) {
        let Some(ssd) = self.drive.ssd() else { return };
        if ssd.config().geometry.superblock {
            return; // see `disagreements.rs` of the twin
        }
        let safe_units = self.books.as_ref().map_or(vec![], Books::safe_units);
        let latest = safe_units.iter().take(12).copied().collect::<Vec<_>>();
        let any = (0..safe_units.len().min(4)).map(|_| safe_units[self.draw(safe_units.len() as u64) as usize]);
        for unit in any.collect::<Vec<_>>().into_iter().chain(latest) {
            let Some(read) = self.books.as_ref().map(|books| books.read_of(unit)) else { return };
            let pages = |host: &Self| host.drive.ssd().map_or(0, |ssd| ssd.counters().host_read_pages);
            let before = pages(self);
            self.submit(read);
            self.drain();
            assert_eq!(pages(self) - before, 1, "unit {unit} was safe and is not on flash");
        }
    }

    fn power_off(&mut self) {
        if self.is_at_its_end() || self.drive.ssd().is_none() {
            return;
        }
        self.drain();
        let duration_ns = [MS, 40 * 24 * 3_600_000 * MS][self.draw(2) as usize];
        let Some(ssd) = self.drive.ssd_mut() else { return };
        let refused_units = ssd.counters().refused_units;
        ssd.power_off(duration_ns, 35.0);
        let written_out = ssd.counters().refused_units == refused_units;
        if let Some(books) = self.books.as_mut().filter(|_| written_out) {
            books.written_out();
        }
    }

    fn secure_erase(&mut self) {
        if self.is_at_its_end() {
            return;
        }
        self.drain();
        let start_ns = self.drive.now_ns();
        let Some(took_ns) = self.drive.secure_erase() else { return };
        assert!(self.drive.now_ns() >= start_ns + took_ns, "it takes the time it says");
        self.sums.erases += 1;
        if let Some(books) = &mut self.books {
            books.forget();
        }
        if let Some(ssd) = self.drive.ssd() {
            assert_eq!(ssd.inside().valid_slots.iter().sum::<u32>(), 0, "nothing is left");
        }
    }
}
