//! How many bits the cells of a block hold, which determines the times of that block.

use flashscope_kernel::choice;

choice! {
    /// How many bits the cells of a block hold.
    #[derive(Default)]
    pub enum CellMode {
        /// As many bits as the data sheet says.
        #[default]
        Native = "native",
        /// One bit: faster, and the block holds fewer bytes by that factor (the translation layer handles the size).
        Pslc = "pslc",
    }
}
