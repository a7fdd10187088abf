//! A virtual drive of any kind, built from the settings of a part.
//!
//! ```text
//!   VirtualDrive --+-- Ssd        flash behind a translation layer
//!                  +-- Disk       platters
//!                  +-- Hybrid     a disk with flash as its read cache
//!                  +-- Memory     RAM
//!                  '-- Stripe     several of these as one
//! ```
//!
//! Hot loops do not use this enum: a run takes the drive inside (see [`VirtualDrive::with`]) and is compiled for its
//! kind.

use crate::config_error::ConfigError;
use crate::member::Member;
use crate::place::Place;
use crate::request::{Completion, Drive, NoEventsLeft, Request};
use crate::smart::Attribute;
use crate::ssd::ageing;
use crate::ssd::config::Beyond;
use crate::stripe::Stripe;
use crate::{AgedState, Config, Disk, Hybrid, Memory, Ssd, disk, hybrid, memory, stripe};
use flashscope_kernel::choice;
use serde::{Deserialize, Serialize};

choice! {
    /// The kinds of drive that a configuration can describe; a stripe is made of them.
    pub enum DriveKind {
        /// A solid-state drive.
        Ssd = "ssd",
        /// A disk.
        Disk = "disk",
        /// A hybrid.
        Hybrid = "hybrid",
        /// A drive of memory.
        Memory = "memory",
    }
}

/// The configuration of any kind of drive. Its JSON names the kind as [`DriveKind`] does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VirtualConfig {
    /// A solid-state drive.
    Ssd(Box<Config>),
    /// A disk.
    Disk(Box<disk::Config>),
    /// A hybrid.
    Hybrid(Box<hybrid::Config>),
    /// A drive of memory.
    Memory(Box<memory::Config>),
}

impl VirtualConfig {
    /// The kind of drive it describes.
    pub fn kind(&self) -> DriveKind {
        match self {
            Self::Ssd(_) => DriveKind::Ssd,
            Self::Disk(_) => DriveKind::Disk,
            Self::Hybrid(_) => DriveKind::Hybrid,
            Self::Memory(_) => DriveKind::Memory,
        }
    }
}

/// A drive of any kind.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum VirtualDrive {
    /// A solid-state drive.
    Ssd(Box<Ssd>),
    /// A disk.
    Disk(Box<Disk>),
    /// A hybrid.
    Hybrid(Box<Hybrid>),
    /// A drive of memory.
    Memory(Box<Memory>),
    /// Several drives as one.
    Stripe(Box<Stripe<VirtualDrive>>),
}

/// The same expression for a drive of any kind.
#[macro_export]
macro_rules! with_drive {
    ($drive:expr, $inner:ident => $call:expr) => {
        match $drive {
            $crate::VirtualDrive::Ssd($inner) => $call,
            $crate::VirtualDrive::Disk($inner) => $call,
            $crate::VirtualDrive::Hybrid($inner) => $call,
            $crate::VirtualDrive::Memory($inner) => $call,
            $crate::VirtualDrive::Stripe($inner) => $call,
        }
    };
}

impl VirtualDrive {
    /// A new drive. The same configuration and seed give the same drive; only solid-state drives use random numbers.
    pub fn new(config: VirtualConfig, seed: u64) -> Result<Self, ConfigError> {
        Ok(match config {
            VirtualConfig::Ssd(config) => Self::Ssd(Box::new(Ssd::new(*config, seed)?)),
            VirtualConfig::Disk(config) => Self::Disk(Box::new(Disk::new(*config)?)),
            VirtualConfig::Hybrid(config) => Self::Hybrid(Box::new(Hybrid::new(*config)?)),
            VirtualConfig::Memory(config) => Self::Memory(Box::new(Memory::new(*config)?)),
        })
    }

    /// These drives as one stripe.
    pub fn stripe(config: stripe::Config, members: Vec<Self>) -> Result<Self, ConfigError> {
        Ok(Self::Stripe(Box::new(Stripe::new(config, members)?)))
    }

    /// The solid-state drive, when it is one.
    pub fn ssd(&self) -> Option<&Ssd> {
        if let Self::Ssd(ssd) = self { Some(ssd) } else { None }
    }

    /// The solid-state drive, when it is one.
    pub fn ssd_mut(&mut self) -> Option<&mut Ssd> {
        if let Self::Ssd(ssd) = self { Some(ssd) } else { None }
    }

    /// The drives it is made of, when it is a stripe; otherwise none.
    pub fn members(&self) -> &[Self] {
        if let Self::Stripe(stripe) = self { stripe.members() } else { &[] }
    }

    /// Bring a solid-state drive, or all members of a stripe, back to their first state; returns the time it took [ns].
    /// `None` for a drive that has no secure erase.
    pub fn secure_erase(&mut self) -> Option<u64> {
        match self {
            Self::Ssd(ssd) => Some(ssd.secure_erase()),
            Self::Stripe(stripe) if stripe.members().iter().all(Self::can_secure_erase) => {
                let start_ns = stripe.now_ns();
                stripe.for_each_member(|member| {
                    member.secure_erase();
                });
                Some(stripe.now_ns() - start_ns)
            }
            Self::Disk(_) | Self::Hybrid(_) | Self::Memory(_) | Self::Stripe(_) => None,
        }
    }

    /// Put a solid-state drive, or every member of a stripe, into an aged state; see [`Ssd::age`]. When some members of
    /// a stripe refuse it, the stripe may be aged in part.
    pub fn age(&mut self, state: &AgedState) -> Result<(), ConfigError> {
        match self {
            Self::Ssd(ssd) => ssd.age(state),
            Self::Stripe(stripe) => {
                let mut result = Ok(());
                stripe.for_each_member(|member| {
                    if result.is_ok() {
                        result = member.age(state);
                    }
                });
                result
            }
            Self::Disk(_) | Self::Hybrid(_) | Self::Memory(_) => {
                Err(ageing::refusal("a drive of another kind", "solid-state drives, and stripes of them"))
            }
        }
    }

    fn can_secure_erase(&self) -> bool {
        match self {
            Self::Ssd(_) => true,
            Self::Stripe(stripe) => stripe.members().iter().all(Self::can_secure_erase),
            Self::Disk(_) | Self::Hybrid(_) | Self::Memory(_) => false,
        }
    }

    /// SMART attributes in the layout of its family; none for a drive without SMART, or for a stripe.
    pub fn smart_attributes(&self) -> Vec<Attribute> {
        match self {
            Self::Ssd(ssd) => ssd.smart_attributes(),
            Self::Disk(disk) => disk.smart_attributes(),
            Self::Hybrid(hybrid) => hybrid.smart_attributes(),
            Self::Memory(_) | Self::Stripe(_) => Vec::new(),
        }
    }

    /// The fields of NVMe's health log, by name; none for a drive without NVMe, or for a stripe.
    pub fn nvme_health(&self) -> Vec<(&'static str, u64)> {
        match self {
            Self::Ssd(ssd) => ssd.nvme_health(),
            Self::Disk(_) | Self::Hybrid(_) | Self::Memory(_) | Self::Stripe(_) => Vec::new(),
        }
    }

    /// Everything counted since the drive was built, by name. For a stripe: its own counts, and with the prefix
    /// `member_` the sums over its members.
    pub fn counters(&self) -> Vec<(&'static str, u64)> {
        match self {
            Self::Ssd(ssd) => ssd.counters().list(),
            Self::Disk(disk) => disk.counters().list(),
            Self::Hybrid(hybrid) => hybrid.counters().list(),
            Self::Memory(memory) => memory.counters().list(),
            Self::Stripe(stripe) => stripe.counters().list(),
        }
    }

    /// All flash [bytes], bad blocks included; 0 for a drive without flash.
    pub fn raw_bytes(&self) -> u64 {
        match self {
            Self::Ssd(ssd) => ssd.config().geometry.raw_bytes(),
            Self::Stripe(stripe) => stripe.members().iter().map(Self::raw_bytes).sum(),
            Self::Disk(_) | Self::Hybrid(_) | Self::Memory(_) => 0,
        }
    }

    /// Where the data of an address really lies, which on a counterfeit drive may be elsewhere or nowhere.
    pub fn place_of(&self, offset_bytes: u64) -> Place {
        match self {
            Self::Ssd(ssd) => {
                let capacity = &ssd.config().capacity;
                let nowhere = if capacity.beyond == Beyond::Zeros { Place::Zeros } else { Place::Undefined };
                capacity.lies_at(offset_bytes).map_or(nowhere, Place::At)
            }
            Self::Stripe(stripe) => {
                let (member, member_bytes) = stripe.member_at(offset_bytes);
                match stripe.members()[member].place_of(member_bytes) {
                    Place::At(at) => Place::At(stripe.address_of(member, at)),
                    nowhere => nowhere,
                }
            }
            Self::Disk(_) | Self::Hybrid(_) | Self::Memory(_) => Place::At(offset_bytes),
        }
    }

    /// Memory that grows with the drive's size [bytes].
    pub fn memory_bytes(&self) -> usize {
        match self {
            Self::Ssd(ssd) => ssd.memory_bytes(),
            Self::Stripe(stripe) => stripe.members().iter().map(Self::memory_bytes).sum(),
            Self::Disk(_) | Self::Hybrid(_) | Self::Memory(_) => 0,
        }
    }

    /// Check every invariant, slowly. Panics when one does not hold: then the program has a fault.
    pub fn check(&self) {
        with_drive!(self, drive => drive.check());
    }
}

impl Drive for VirtualDrive {
    fn user_bytes(&self) -> u64 {
        with_drive!(self, drive => drive.user_bytes())
    }

    fn sector_bytes(&self) -> u64 {
        with_drive!(self, drive => drive.sector_bytes())
    }

    fn now_ns(&self) -> u64 {
        with_drive!(self, drive => drive.now_ns())
    }

    fn submit(&mut self, at_ns: u64, tag: u32, request: Request) {
        with_drive!(self, drive => drive.submit(at_ns, tag, request));
    }

    fn next_completion(&mut self, until_ns: u64) -> Option<Completion> {
        with_drive!(self, drive => drive.next_completion(until_ns))
    }

    fn next_completion_within(&mut self, until_ns: u64, events: &mut u64) -> Result<Option<Completion>, NoEventsLeft> {
        with_drive!(self, drive => drive.next_completion_within(until_ns, events))
    }
}

impl Member for VirtualDrive {
    fn next_ns(&self) -> u64 {
        with_drive!(self, drive => drive.next_ns())
    }

    fn idle(&mut self, duration_ns: u64) {
        with_drive!(self, drive => drive.idle(duration_ns));
    }
}
