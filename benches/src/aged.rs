//! What it costs to bring a drive into the steady state of random writes: set at once, or reached by writing.
//!
//! ```text
//!   at once      build --> age                                     <-- reported; the fastest of the repeats
//!   by writing   build --> what the case has before its window     <-- beside it, once, where there is any
//! ```
//!
//! Building the drive is part of both figures, since the user waits for it too.

use crate::cases::Case;
use crate::clock::{cpu_seconds, memory_peak_bytes};
use crate::line::{AgedLine, Line};
use crate::measure::{bring_into_its_state, build};
use crate::window::Window;
use flashscope_ftl::{AgedState, Overwrites};

/// All of the drive written, then overwritten at random for so long that its first state no longer matters.
const STEADY: AgedState =
    AgedState { fill_ratio: 1.0, overwrites: Overwrites::Random, erase_count_mean: 0, erase_count_spread_ratio: 0.0 };

/// Measure the ageing of a case's drive.
pub fn measure(case: &Case) -> Line {
    let mut fastest = f64::INFINITY;
    let mut drive_bytes = 0;
    for _ in 0..case.repeats.0 {
        let start = cpu_seconds();
        let mut drive = build(case, 1);
        drive.age(&STEADY).expect("the case's drive can be aged");
        fastest = fastest.min(cpu_seconds() - start);
        drive_bytes = drive.memory_bytes();
    }
    let by_writing_cpu_seconds = (!case.before.is_empty()).then(|| {
        let start = cpu_seconds();
        bring_into_its_state(&mut build(case, 1), case);
        cpu_seconds() - start
    });
    let window = Window { cpu_seconds: fastest, ..Window::default() };
    let aged = AgedLine { by_writing_cpu_seconds };
    Line { memory_peak_bytes: memory_peak_bytes(), aged: Some(aged), ..Line::new(case, &window, drive_bytes) }
}
