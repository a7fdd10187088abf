//! Rows of comma-separated text, cut to the columns that are wanted.

use flashscope_rows::Cutter;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Cuts one text, given part by part from its first byte to its last.
#[pyclass(module = "flashscope._core")]
pub struct RowCutter {
    cutter: Cutter,
}

#[pymethods]
impl RowCutter {
    /// column_count: of a whole line. wanted: ascending column numbers, from 0.
    #[new]
    fn new(column_count: usize, wanted: Vec<usize>) -> PyResult<Self> {
        let cutter = Cutter::new(column_count, &wanted);
        let refused = || PyValueError::new_err("wanted columns must ascend and be there");
        Ok(Self { cutter: cutter.ok_or_else(refused)? })
    }

    /// The cut rows of all lines that end in this part: the place of the line in the text, and its wanted columns.
    fn cut<'py>(&mut self, python: Python<'py>, part: &[u8]) -> Bound<'py, PyBytes> {
        let cutter = &mut self.cutter;
        PyBytes::new(python, &python.detach(|| cutter.cut(part)))
    }

    /// Whether the text so far was printable ASCII in lines; of another one the cut rows are worth nothing.
    #[getter]
    fn is_plain(&self) -> bool {
        self.cutter.is_plain()
    }

    /// Whether a number of the text so far may have a fraction.
    #[getter]
    fn has_fractions(&self) -> bool {
        self.cutter.has_fractions()
    }

    /// The lines that ended so far, the headings included.
    #[getter]
    fn line_count(&self) -> u64 {
        self.cutter.line_count()
    }
}
