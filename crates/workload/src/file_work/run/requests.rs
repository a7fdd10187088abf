//! Requests passed to the drive, and its answers to whatever sent them.

use super::FileRun;
use super::state::{Asker, State, UnderWay};
use crate::direction::Kind;
use crate::file_work::trace::Place;
use flashscope_drive::{Completion, Drive, Request, Status};

impl FileRun {
    /// Submits a range as requests of the driver's size; returns their number.
    pub(super) fn ask<D: Drive>(
        &mut self,
        drive: &mut D,
        kind: Kind,
        place: Place,
        compressible: u8,
        asker: Asker,
    ) -> u32 {
        let (mut offset_bytes, end) = (place.offset, place.offset + place.length);
        let mut count = 0;
        while offset_bytes < end {
            let length_bytes = self.host.transfer_bytes_max.min(end - offset_bytes);
            self.submit(
                drive,
                Some(kind),
                Request { kind: kind.into(), offset_bytes, length_bytes, compressible },
                asker,
            );
            offset_bytes += length_bytes;
            count += 1;
        }
        count
    }

    pub(super) fn submit<D: Drive>(&mut self, drive: &mut D, kind: Option<Kind>, request: Request, asker: Asker) {
        let entry = UnderWay { asker, kind, length_bytes: request.length_bytes, submitted_ns: self.now_ns };
        let tag = self.free_tags.pop().unwrap_or(self.under_way.len() as u32);
        if tag as usize == self.under_way.len() {
            self.under_way.push(entry);
        } else {
            self.under_way[tag as usize] = entry;
        }
        self.under_way_count += 1;
        self.submitted += 1;
        drive.submit(self.now_ns, tag, request);
    }

    pub(super) fn answered<D: Drive>(&mut self, drive: &mut D, completion: Completion) {
        let UnderWay { asker, kind, length_bytes, submitted_ns } = self.under_way[completion.tag as usize];
        self.free_tags.push(completion.tag);
        self.under_way_count -= 1;
        let Some(kind) = kind else {
            self.ledger.pass(completion.at_ns);
            return;
        };
        self.ledger.book(kind, length_bytes, submitted_ns, completion);
        if completion.status != Status::Done && completion.status.is_final() && kind != Kind::Trim {
            self.ledger.book_ended(0, completion.at_ns, completion.status);
            self.give_up();
        }
        match asker {
            Asker::Nobody => {}
            Asker::Reader { program, generation, end } => {
                let this = &mut self.programs[program as usize];
                if let Some(reader) = this.reader.as_mut().filter(|reader| reader.generation == generation) {
                    reader.arrive(end);
                    let arrived_to = reader.arrived_to;
                    if matches!(this.state, State::Reading(until) if until <= arrived_to) {
                        self.go_on(drive, program as usize);
                    }
                }
            }
            Asker::Program(program) => match self.programs[program as usize].state {
                State::Waiting(1) => self.go_on(drive, program as usize),
                State::Waiting(count) => self.programs[program as usize].state = State::Waiting(count - 1),
                _ => {}
            },
            Asker::LazyWriter { thread } => {
                self.threads[thread as usize].under_way -= 1;
                self.dirty_bytes -= length_bytes;
                self.let_go(drive);
                self.feed_lazy_writer(drive);
            }
            Asker::MetadataWriter => {
                self.metadata_under_way -= 1;
                if self.metadata_under_way == 0 {
                    self.record_under_way = false;
                    for program in std::mem::take(&mut self.locked) {
                        self.go_on(drive, program as usize);
                    }
                    self.feed_metadata_writer(drive);
                }
            }
        }
    }
}
