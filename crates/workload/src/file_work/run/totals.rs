//! What file work counts besides its requests.

/// What else was counted, under the names of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileTotals {
    /// From the start to the end of the last program [ns].
    pub programs_ended_ns: u64,
    /// From the start until the drive had everything on its medium [ns].
    pub synced_ns: u64,
    /// Programs ended.
    pub programs_ended_count: u64,
    /// Data of files read from the drive [bytes].
    pub data_read_bytes: u64,
    /// Data of files written to the drive [bytes].
    pub data_written_bytes: u64,
    /// Metadata read from the drive [bytes].
    pub metadata_read_bytes: u64,
    /// Metadata written, the journal included [bytes].
    pub metadata_written_bytes: u64,
    /// The part of these that belongs to the journal [bytes].
    pub journal_written_bytes: u64,
    /// File records written, one request each.
    pub record_write_count: u64,
    /// How often a program was held back at the dirty limit.
    pub held_back_count: u64,
    /// How often a program waited for a file record to be written.
    pub locked_count: u64,
    /// Largest amount of dirty data at any time [bytes].
    pub dirty_max_bytes: u64,
    /// Time that cores computed, summed over all programs [ns].
    pub computed_ns: u64,
}
