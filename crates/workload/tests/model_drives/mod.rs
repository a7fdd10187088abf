//! Tiny drives that answer after a latency of their own and remember the requests.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use flashscope_drive::{Completion, Drive, Request, Status};

/// One request as the drive saw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    pub submitted_ns: u64,
    pub completed_ns: u64,
    pub request: Request,
}

/// A drive whose latency depends on the request and on the number of requests before it.
pub struct ModelDrive<Latency> {
    latency_ns: Latency,
    now_ns: u64,
    /// Up to here time was allowed to pass; a drive works on its own in that time.
    lived_until_ns: u64,
    under_way: BinaryHeap<Reverse<(u64, u64, u32)>>,
    pub user_bytes: u64,
    pub seen: Vec<Seen>,
    pub outstanding_max: usize,
    /// Announced offsets.
    pub expected_bytes: Vec<u64>,
    /// Requests from this number on find no free block.
    pub full_from: u64,
}

impl<Latency: FnMut(u64, &Request) -> u64> ModelDrive<Latency> {
    pub fn new(user_bytes: u64, latency_ns: Latency) -> Self {
        Self {
            latency_ns,
            now_ns: 1_000_000,
            lived_until_ns: 1_000_000,
            under_way: BinaryHeap::new(),
            user_bytes,
            seen: Vec::new(),
            outstanding_max: 0,
            expected_bytes: Vec::new(),
            full_from: u64::MAX,
        }
    }
}

impl<Latency: FnMut(u64, &Request) -> u64> Drive for ModelDrive<Latency> {
    fn user_bytes(&self) -> u64 {
        self.user_bytes
    }

    fn sector_bytes(&self) -> u64 {
        512
    }

    fn now_ns(&self) -> u64 {
        self.now_ns
    }

    fn submit(&mut self, at_ns: u64, tag: u32, request: Request) {
        assert!(at_ns >= self.now_ns, "submitted at {at_ns}, but it is {} already", self.now_ns);
        assert!(at_ns <= self.lived_until_ns, "submitted at {at_ns}, but lived until {} only", self.lived_until_ns);
        let earliest = self.under_way.peek().map_or(u64::MAX, |Reverse(first)| first.0);
        assert!(at_ns <= earliest, "submitted at {at_ns} although a completion at {earliest} was to be taken first");
        assert!(self.under_way.iter().all(|Reverse(other)| other.2 != tag), "tag {tag} is outstanding already");
        self.now_ns = at_ns;
        let number = self.seen.len() as u64;
        let completed_ns = at_ns + (self.latency_ns)(number, &request);
        self.under_way.push(Reverse((completed_ns, number, tag)));
        self.seen.push(Seen { submitted_ns: at_ns, completed_ns, request });
        self.outstanding_max = self.outstanding_max.max(self.under_way.len());
    }

    fn expect(&mut self, offsets_bytes: &[u64]) {
        self.expected_bytes.extend_from_slice(offsets_bytes);
    }

    fn next_completion(&mut self, until_ns: u64) -> Option<Completion> {
        let Some(&Reverse((at_ns, number, tag))) = self.under_way.peek().filter(|first| first.0.0 <= until_ns) else {
            self.lived_until_ns = self.lived_until_ns.max(until_ns);
            return None;
        };
        self.lived_until_ns = self.lived_until_ns.max(at_ns);
        self.under_way.pop();
        self.now_ns = at_ns;
        let status = if number >= self.full_from { Status::NoFreeBlock } else { Status::Done };
        Some(Completion { tag, at_ns, status })
    }
}

/// Latencies between 1 and 1024 ns that look random; the request's number determines them.
pub fn scattered_latency_ns(number: u64, _: &Request) -> u64 {
    1 + (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54)
}
