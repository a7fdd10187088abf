//! The words that the core and Python share, as the core spells them.

use flashscope_drive::vocabulary::smart_attribute_ids;
use flashscope_workload::vocabulary::vocabulary as lists;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// Every list of words that the core and Python share, by name. A word's place in its list is its code.
#[pyfunction]
pub(crate) fn vocabulary(python: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(python);
    for (name, words) in lists() {
        dict.set_item(name, PyTuple::new(python, words)?)?;
    }
    Ok(dict)
}

/// The ids of the SMART attributes that a drive of each layout shows, in their order.
#[pyfunction]
pub(crate) fn smart_ids(python: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(python);
    for (layout, ids) in smart_attribute_ids() {
        dict.set_item(layout, PyTuple::new(python, ids)?)?;
    }
    Ok(dict)
}
