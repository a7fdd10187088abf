//! What Python hears of a call of the core that takes long, and how it ends such a call.
//!
//! ```text
//!   listen(callback)                                           once, for all threads
//!   advance, age, build ... --a tenth of a second--> signals, callback(phase, done, total, took_s)
//!                                                      '--raises--> the work is unwound, and the call raises that
//! ```
//!
//! Signals are looked at in the main thread, as Python does between two of its own instructions. The callback comes from
//! the thread that called the core. The clock decides only when it is called, so it changes no result.

use flashscope_kernel::signs_of_life::{Sign, Stopped, listened};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::cell::{Cell, RefCell};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Time between two calls of the callback.
const INTERVAL: Duration = Duration::from_millis(100);

static CALLBACK: Mutex<Option<Py<PyAny>>> = Mutex::new(None);

thread_local! {
    /// When the current call began, and when Python heard of it last.
    static TIMES: Cell<Option<(Instant, Instant)>> = const { Cell::new(None) };
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Call `callback(phase, done, total, took_s)` about ten times a second while the core works; None calls nothing.
///
/// phase: what is being done, perhaps "". total: 0 when it is unknown. An exception of the callback ends the work.
#[pyfunction]
#[pyo3(signature = (callback))]
pub(crate) fn listen(callback: Option<Py<PyAny>>) {
    *CALLBACK.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = callback;
}

/// Do `work`, without Python's lock, while Python hears of it.
pub(crate) fn heard<T>(work: impl FnOnce() -> T) -> Result<T, Stopped> {
    let now = Instant::now();
    let before = TIMES.replace(Some((now, now)));
    let outcome = listened(hear, work);
    TIMES.set(before);
    outcome
}

/// The exception that ended the work.
pub(crate) fn ended_by(_: Stopped) -> PyErr {
    RAISED.take().unwrap_or_else(|| PyRuntimeError::new_err("the work was stopped"))
}

fn hear(sign: Sign) -> bool {
    let now = Instant::now();
    let Some((began, told)) = TIMES.get() else { return true };
    if now - told < INTERVAL {
        return true;
    }
    TIMES.set(Some((began, now)));
    match Python::attach(|python| tell(python, sign, now - began)) {
        Ok(()) => true,
        Err(error) => {
            RAISED.set(Some(error));
            false
        }
    }
}

fn tell(python: Python<'_>, sign: Sign, took: Duration) -> PyResult<()> {
    python.check_signals()?;
    if let Some(callback) = callback(python) {
        callback.call1(python, (sign.phase, sign.done, sign.total, took.as_secs_f64()))?;
    }
    Ok(())
}

/// The callback, with its lock given back: a callback lets other threads take Python's lock, and one of them that then
/// waited for this one would wait for ever.
fn callback(python: Python<'_>) -> Option<Py<PyAny>> {
    let callback = CALLBACK.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    callback.as_ref().map(|callback| callback.clone_ref(python))
}
