//! What the runner itself costs per request: runs on a drive that does nothing.
//!
//! `cargo run --release -p flashscope-workload --example overhead [WORDS]` prints the best of five runs, for each
//! kind of stream whose name contains the words, in nanoseconds of CPU time per request (read from Linux's
//! schedstat). The figures include the cost of the null drive itself; the first line shows that cost alone.

use std::hint::black_box;

use flashscope_drive::{Completion, Drive, Request, RequestKind, Status};
use flashscope_workload::{BlockSizes, Direction, Distribution, DistributionKind, Job, Run};

const USER_BYTES: u64 = 4 << 30;
const REQUESTS: u64 = 4_000_000;
const LATENCY_NS: u64 = 100_000;

/// Completes every request a fixed time after its submission, so completions come in the order of submission.
struct NullDrive {
    ring: [(u64, u32); 256],
    first: usize,
    count: usize,
    now_ns: u64,
}

impl Drive for NullDrive {
    fn user_bytes(&self) -> u64 {
        USER_BYTES
    }

    fn sector_bytes(&self) -> u64 {
        512
    }

    fn now_ns(&self) -> u64 {
        self.now_ns
    }

    fn submit(&mut self, at_ns: u64, tag: u32, request: Request) {
        // The offset affects the result, so that the compiler cannot leave out its computation.
        let completed_ns = at_ns + LATENCY_NS + (request.offset_bytes >> 63);
        self.ring[(self.first + self.count) & 255] = (completed_ns, tag);
        self.count += 1;
        self.now_ns = at_ns;
    }

    fn next_completion(&mut self, until_ns: u64) -> Option<Completion> {
        let (at_ns, tag) = self.ring[self.first & 255];
        if self.count == 0 || at_ns > until_ns {
            return None;
        }
        self.first = (self.first + 1) & 255;
        self.count -= 1;
        self.now_ns = at_ns;
        Some(Completion { tag, at_ns, status: Status::Done })
    }
}

fn main() {
    let stream = |direction, random_map| Job {
        direction,
        random_map,
        queue_depth: 16,
        io_bytes: REQUESTS * 4096,
        ..Job::new("stream", direction)
    };
    let zipf = Distribution { kind: DistributionKind::Zipf, theta: 0.9, zones: vec![] };
    let split = BlockSizes { weighted: vec![(4096, 70.0), (8192, 30.0)], range_bytes: None, align_bytes: 4096 };
    let uniform = stream(Direction::RandWrite, false);
    let four = Job { io_bytes: REQUESTS * 1024, ..uniform.clone() };
    let runs = [
        ("4 KiB uniform random writes", vec![uniform.clone()]),
        ("4 KiB random writes, random map", vec![stream(Direction::RandWrite, true)]),
        ("4 KiB sequential writes", vec![stream(Direction::Write, false)]),
        ("4 KiB random 70/30 mix", vec![Job { read_share_ratio: 0.7, ..stream(Direction::RandRw, false) }]),
        ("4 KiB zipf 0.9 writes", vec![Job { distribution: zipf, ..uniform.clone() }]),
        ("4 and 8 KiB split, uniform", vec![Job { write_sizes: split, ..uniform }]),
        ("4 KiB uniform, four jobs", vec![four; 4]),
    ];
    let words = std::env::args().nth(1).unwrap_or_default();
    let alone_ns = (0..5).map(|_| null_drive_alone()).fold(f64::INFINITY, f64::min);
    println!("{:34} {alone_ns:6.1} ns/request", "the null drive alone");
    for (name, jobs) in runs.iter().filter(|(name, _)| name.contains(&words)) {
        let best_ns = (0..5).map(|_| nanoseconds_per_request(jobs)).fold(f64::INFINITY, f64::min);
        println!("{name:34} {best_ns:6.1} ns/request");
    }
}

fn nanoseconds_per_request(jobs: &[Job]) -> f64 {
    let mut drive = NullDrive { ring: [(0, 0); 256], first: 0, count: 0, now_ns: 0 };
    let mut run = Run::new(jobs, 1, 1_000_000_000, USER_BYTES, 512).expect("the jobs fit the drive");
    let begin_ns = cpu_time_ns();
    while !run.advance(&mut drive, 1_000_000) {}
    (cpu_time_ns() - begin_ns) as f64 / run.progress().requests as f64
}

/// Submissions and completions without a runner.
fn null_drive_alone() -> f64 {
    let mut drive = NullDrive { ring: [(0, 0); 256], first: 0, count: 0, now_ns: 0 };
    let request = Request { kind: RequestKind::Write, offset_bytes: 0, length_bytes: 4096, compressible: 0 };
    (0..16).for_each(|tag| drive.submit(0, tag, request));
    let begin_ns = cpu_time_ns();
    for _ in 0..REQUESTS {
        let completion = drive.next_completion(u64::MAX).expect("sixteen requests are under way");
        drive.submit(completion.at_ns, completion.tag, black_box(request));
    }
    (cpu_time_ns() - begin_ns) as f64 / REQUESTS as f64
}

/// CPU time that this program has used so far.
fn cpu_time_ns() -> u64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").expect("this example needs Linux");
    text.split(' ').next().and_then(|field| field.parse().ok()).expect("the first field is a time in ns")
}
