//! Signs of life: long work says now and then that it goes on, and how far it is; whoever listens may end it.
//!
//! ```text
//!   caller --listened(listener, work)--> work .. alive .. alive .. alive .. done
//!                                                  '--> listener: phase, done, total --> go on
//!                                                                                    '-> stop: the work is unwound
//! ```
//!
//! The core reads no clock and hears no signal. A single call may still take minutes: a drive of a million blocks is
//! aged, a merge copies a thousand blocks. So the places where work may be long call [`alive`] with the amount of work
//! that they did, in steps of about a nanosecond to ten (a slot moved, an entry looked at). The listener is called about
//! once for each [`WORK_BETWEEN`] of it. Signs of life change no result; without a listener they are only counted.
//!
//! Work that was stopped is left in the middle: what it worked on contradicts itself and can only be dropped.
//!
//! Not done: the work of other threads. Each thread has a listener of its own.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Work between two calls of the listener: far less than a tenth of a second of it.
pub const WORK_BETWEEN: u64 = 1 << 18;

/// How far the current work is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sign {
    /// What is being done; empty when that has no name.
    pub phase: &'static str,
    /// How much of it is done.
    pub done: u64,
    /// How much of it there is; 0 when that is unknown.
    pub total: u64,
}

/// What hears the signs: true means go on, false means stop.
pub type Listener = fn(Sign) -> bool;

/// The work was ended by its listener.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

thread_local! {
    static LISTENER: Cell<Option<Listener>> = const { Cell::new(None) };
    static SIGN: Cell<Sign> = const { Cell::new(Sign { phase: "", done: 0, total: 0 }) };
    static SINCE: Cell<u64> = const { Cell::new(0) };
}

/// Do `work` while `listener` hears it on this thread.
pub fn listened<T>(listener: Listener, work: impl FnOnce() -> T) -> Result<T, Stopped> {
    let (before, sign, since) = (LISTENER.replace(Some(listener)), SIGN.take(), SINCE.take());
    let outcome = catch_unwind(AssertUnwindSafe(work));
    LISTENER.set(before);
    SIGN.set(sign);
    SINCE.set(since);
    outcome.map_err(|end| if is_stop(end.as_ref()) { Stopped } else { resume_unwind(end) })
}

/// True for the payload of a panic by which work is stopped.
pub fn is_stop(payload: &(dyn Any + Send)) -> bool {
    payload.is::<Stopped>()
}

/// So much work was done since the last call.
#[inline]
pub fn alive(work: u64) {
    let since = SINCE.get().saturating_add(work);
    SINCE.set(since);
    if since >= WORK_BETWEEN {
        tell();
    }
}

/// A phase begins that has `total` pieces of work, 0 when that is unknown.
pub fn begins(phase: &'static str, total: u64) {
    SIGN.set(Sign { phase, done: 0, total });
}

/// So many pieces of the phase are done; `more` is the work since the last call.
#[inline]
pub fn reached(done: u64, more: u64) {
    let sign = SIGN.get();
    // A total may be an estimate: what goes on beyond it is nearly done.
    SIGN.set(Sign { done: if sign.total > 0 { done.min(sign.total) } else { done }, ..sign });
    alive(more);
}

#[cold]
fn tell() {
    SINCE.set(0);
    if LISTENER.get().is_some_and(|listener| !listener(SIGN.get())) {
        resume_unwind(Box::new(Stopped)); // no message: nothing is wrong
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    thread_local! {
        static HEARD: Cell<(u32, Sign)> = const { Cell::new((0, Sign { phase: "", done: 0, total: 0 })) };
    }

    fn hear(sign: Sign) -> bool {
        HEARD.set((HEARD.get().0 + 1, sign));
        sign.done < 3
    }

    #[test]
    fn the_listener_hears_once_for_each_amount_of_work_and_how_far_it_is() {
        HEARD.set((0, Sign::default()));
        let done = listened(hear, || {
            (0..WORK_BETWEEN - 1).for_each(|_| alive(1));
            assert_eq!(HEARD.get().0, 0, "not yet");
            begins("counting", 7);
            reached(2, 1);
            "the result"
        });
        assert_eq!(done, Ok("the result"));
        assert_eq!(HEARD.get(), (1, Sign { phase: "counting", done: 2, total: 7 }));
    }

    #[test]
    fn no_more_is_done_than_there_is() {
        HEARD.set((0, Sign::default()));
        let end = listened(hear, || {
            begins("estimated", 2);
            reached(9, WORK_BETWEEN);
        });
        assert_eq!((end, HEARD.get().1.done), (Ok(()), 2));
    }

    #[test]
    fn work_is_unwound_when_the_listener_says_so_and_other_panics_pass() {
        let mut last = 0;
        let end = listened(hear, || {
            for done in 0..10 {
                last = done;
                reached(done, WORK_BETWEEN);
            }
        });
        assert_eq!((end, last), (Err(Stopped), 3));
        alive(WORK_BETWEEN); // nobody listens any more
        assert!(catch_unwind(|| listened(hear, || panic!("a fault"))).is_err());
    }

    #[test]
    fn work_within_work_has_its_own_listener_and_phase() {
        let whole = listened(hear, || {
            begins("outer", 5);
            let inner = listened(|_| false, || alive(WORK_BETWEEN));
            assert_eq!(inner, Err(Stopped));
            HEARD.set((0, Sign::default()));
            alive(WORK_BETWEEN);
            HEARD.get()
        });
        assert_eq!(whole, Ok((1, Sign { phase: "outer", done: 0, total: 5 })));
    }
}
