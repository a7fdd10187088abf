//! The words for everything that a drive can have, which people and other programs use; each list exists once.
//!
//! Settings, states and reasons are spelled where they are defined (`flashscope_kernel::choice`). This file collects
//! them for the code on the other side of a border that uses the same words.

use crate::disk::config as disk;
use crate::smart::{Health, Layout};
use crate::ssd::config::{Acknowledge, Beyond, EndOfLife, SubUnitWrites};
use crate::virtual_drive::DriveKind;
use crate::{FreeBlock, Overwrites, Status};
use flashscope_ftl::blocks::BlockState;
use flashscope_ftl::buffer::{FlushOrder, Stall};
use flashscope_ftl::{Association, MovedData, Pacing, Reason, VictimRule, WhenFull};
use flashscope_nand::geometry::SuperblockOf;

/// A list of words with its name.
pub type Words = (&'static str, Vec<&'static str>);

/// The words of a choice under a name, in the order of their codes.
#[macro_export]
macro_rules! words {
    ($($name:literal: $Choice:ty,)+) => {
        vec![$(($name, <$Choice>::ALL.iter().map(|word| word.name()).collect())),+]
    };
}

/// All lists of words of a drive.
pub fn vocabulary() -> Vec<Words> {
    let mut lists: Vec<Words> = words! {
        "drive_kind": DriveKind,
        "superblock_of": SuperblockOf,
        "gc_policy": VictimRule,
        "gc_pacing": Pacing,
        "moved_data": MovedData,
        "gc_reason": Reason,
        "block_state": BlockState,
        "free_block": FreeBlock,
        "log_block_association": Association,
        "pslc_when_full": WhenFull,
        "beyond": Beyond,
        "acknowledge": Acknowledge,
        "sub_unit_writes": SubUnitWrites,
        "flush_order": FlushOrder,
        "stall": Stall,
        "end_of_life": EndOfLife,
        "overwrites": Overwrites,
        "disk_flush_order": disk::FlushOrder,
        "disk_queue_order": disk::QueueOrder,
        "smart_layout": Layout,
        "completion_status": Status,
    };
    lists.push(("usable_block_state", states(BlockState::is_usable)));
    lists.push(("grown_bad_block_state", states(BlockState::is_grown_bad)));
    let log = Layout::NvmeHealth.nvme_health(&Health { rated_pe_cycles: 1, ..Health::default() });
    lists.push(("nvme_health_field", log.into_iter().map(|(name, _)| name).collect()));
    lists
}

/// The ids of the attributes that a drive of each layout shows, in their order.
pub fn smart_attribute_ids() -> Vec<(&'static str, Vec<u8>)> {
    let health = Health { rated_pe_cycles: 1, ..Health::default() };
    let ids = |layout: Layout| layout.attributes(&health).into_iter().map(|attribute| attribute.id).collect();
    Layout::ALL.iter().map(|&layout| (layout.name(), ids(layout))).collect()
}

fn states(which: fn(BlockState) -> bool) -> Vec<&'static str> {
    BlockState::ALL.iter().filter(|&&state| which(state)).map(|state| state.name()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_one_name_and_no_word_twice() {
        let lists = vocabulary();
        let mut names: Vec<_> = lists.iter().map(|(name, _)| name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), lists.len());
        for (name, words) in lists {
            let mut once = words.clone();
            once.sort_unstable();
            once.dedup();
            assert_eq!(once.len(), words.len(), "{name}");
            assert!(!words.is_empty(), "{name}");
        }
    }

    #[test]
    fn usable_states_stand_before_all_others() {
        let usable: Vec<bool> = BlockState::ALL.iter().map(|state| state.is_usable()).collect();
        assert!(usable.is_sorted_by(|first, second| first >= second), "whoever looks inside compares with the first");
        for (code, &state) in BlockState::ALL.iter().enumerate() {
            assert_eq!(state as usize, code, "a state is shown by its place in the list");
        }
        for (code, &reason) in Reason::ALL.iter().enumerate() {
            assert_eq!(reason as usize, code, "a reason, too");
        }
    }
}
