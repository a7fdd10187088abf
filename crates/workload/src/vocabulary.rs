//! The words of jobs, of traces and of wearing a drive out, together with those of the drive itself.

use crate::file_work::{Metadata, OperationKind};
use crate::wear::{Pattern, Pause};
use crate::{Direction, DistributionKind, Kind, RateProcess};
use flashscope_drive::vocabulary::Words;
use flashscope_drive::words;

/// All lists of words that the core and Python share: those of the drive, then those of the load.
pub fn vocabulary() -> Vec<Words> {
    let mut lists = flashscope_drive::vocabulary::vocabulary();
    let of_the_load: Vec<Words> = words! {
        "request_kind": Kind,
        "direction": Direction,
        "distribution_kind": DistributionKind,
        "rate_process": RateProcess,
        "wear_pattern": Pattern,
        "wear_pause": Pause,
        "trace_operation": OperationKind,
        "trace_metadata": Metadata,
    };
    lists.extend(of_the_load);
    lists
}
