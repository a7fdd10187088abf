//! How many bits the cells of a block hold, which decides the times of that block.

use flashscope_kernel::choice;

choice! {
    /// How many bits the cells of a block hold.
    #[derive(Default)]
    pub enum CellMode {
        /// As many as the data sheet says.
        #[default]
        Native = "native",
        /// One: faster, and smaller by that factor (whoever lays the data out sees to the size).
        Pslc = "pslc",
    }
}
