//! A fault of the core on its way to Python: where it happened, on which drive, and when.
//!
//! A panic says only what is wrong. A run is a function of configuration and seed, so the seed and the virtual time are
//! enough to repeat the fault; the caller that began the run adds the hash of its configuration. Rust's own message on
//! standard error is held back, unless RUST_BACKTRACE is set.

use flashscope_drive::{Drive as _, VirtualDrive};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};

thread_local! {
    static WATCHED: Cell<bool> = const { Cell::new(false) };
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Record where each panic happens. Called once, when the module is made.
pub(crate) fn listen() {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |fault| {
        let place = fault.location().map(|place| format!("{}:{}", place.file(), place.line()));
        PLACE.set(place.unwrap_or_default());
        if EXPECTED.get() {
            return;
        }
        if !WATCHED.get() || std::env::var_os("RUST_BACKTRACE").is_some() {
            before(fault);
        }
    }));
}

/// Do something that may come to an assertion because of its input, not through a fault of ours. Returns the words of
/// the panic if there was one; nothing is said of it on standard error.
pub(crate) fn caught<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    EXPECTED.set(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(call));
    EXPECTED.set(false);
    outcome.map_err(|fault| text_of(&*fault).to_owned())
}

/// Let a drive do something. A panic is passed on with the place, the seed and the drive's time in its text.
pub(crate) fn watched<T>(drive: &mut VirtualDrive, seed: u64, call: impl FnOnce(&mut VirtualDrive) -> T) -> T {
    WATCHED.set(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| call(drive)));
    WATCHED.set(false);
    outcome.unwrap_or_else(|fault| {
        let (what, place) = (text_of(&*fault), PLACE.take());
        let text = format!("{what}, at {place}; the drive has seed {seed} and virtual time {} ns", drive.now_ns());
        panic::resume_unwind(Box::new(text))
    })
}

fn text_of(fault: &(dyn Any + Send)) -> &str {
    let owned = fault.downcast_ref::<String>().map(String::as_str);
    owned.or_else(|| fault.downcast_ref::<&str>().copied()).unwrap_or("a panic without words")
}
