//! The border to Python: a dozen verbs that each do much, batches in and columns out, the interpreter's lock released.
//!
//! The only crate that knows Python. Every error of the core is translated in one `match` ([`errors`]).

mod drive;
mod errors;
mod fault;
mod file_run;
mod guarded;
mod listening;
mod room;
mod rows;
mod run;
mod verbs;
mod vocabulary;
mod wear;

use pyo3::prelude::*;

/// The Rust core of flashscope: virtual drives and the virtual-time runner.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    fault::listen();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    // Fingerprint of all files that the core is built from; see `build.rs`.
    module.add("SOURCE_FINGERPRINT", env!("FLASHSCOPE_SOURCE_FINGERPRINT"))?;
    module.add_class::<drive::Drive>()?;
    module.add_class::<run::Run>()?;
    module.add_class::<file_run::FileRun>()?;
    module.add_class::<wear::Wear>()?;
    module.add_class::<rows::RowCutter>()?;
    module.add_function(wrap_pyfunction!(vocabulary::vocabulary, module)?)?;
    module.add_function(wrap_pyfunction!(vocabulary::smart_ids, module)?)?;
    module.add_function(wrap_pyfunction!(listening::listen, module)?)?;
    module.add_function(wrap_pyfunction!(room::give_back_memory, module)?)?;
    errors::add_to(module)
}
