//! Checkers: drives of every kind under random use, power cuts included, and the invariants that must always hold.
//!
//! ```text
//!   configs, kinds --> a drive       host: submit, take, wait, idle, trim, flush, erase, cut, switch off, restore
//!                        |             |
//!                        '--> every operation --> invariants (one function each) --> every so often: drive.check()
//!                                                      ^
//!                                books: what a host may rely on, unit by unit
//! ```
//!
//! A failure prints what is needed to repeat it: the name of the drive, its seed, the step, and the configuration. More
//! operations than the default 300,000: `FLASHSCOPE_CHECKERS_OPERATIONS=2000000 cargo test -p flashscope-drive
//! --release --test checkers`. The same drive again, alone: `FLASHSCOPE_CHECKERS_SEED=17`.
//! Not checked here: whether counts are *right*, not only consistent (the twin checks that), and durations.

mod books;
mod configs;
mod host;
mod invariants;
mod kinds;
mod scene;
mod settled;

use flashscope_drive::{Config, Ssd, VirtualDrive, snapshot};
use flashscope_ftl::VictimRule;
use host::Host;
use scene::Scene;

/// Operations on one solid-state drive, in two runs.
const OPERATIONS_PER_SSD: u64 = 8_000;

/// Operations on all solid-state drives together; all other drives get half as many.
fn operations() -> u64 {
    let asked = std::env::var("FLASHSCOPE_CHECKERS_OPERATIONS").ok().and_then(|count| count.parse().ok());
    asked.unwrap_or(200_000).max(24 * OPERATIONS_PER_SSD)
}

/// Number of solid-state drives that are tested: the more operations, the more drives.
fn ssd_count() -> u64 {
    operations() / OPERATIONS_PER_SSD
}

/// Use a drive twice, the second time saved and restored on the way; both must be identical to the byte.
fn use_twice(name: &str, seed: u64, steps: u64, build: impl Fn() -> VirtualDrive) {
    let used = |restoring: bool| {
        let scene = Scene::new(name, seed);
        let mut host = Host::new(build(), seed, restoring);
        for step in 0..steps {
            scene.at(step);
            host.operate();
            if step.is_multiple_of(50) {
                host.look_closely();
            }
        }
        host.drain();
        host.look_closely();
        host.into_drive()
    };
    let (original, restored) = (snapshot::take(&used(false)), snapshot::take(&used(true)));
    let _scene = Scene::new(name, seed);
    assert!(original == restored, "the same seed gives the same bytes, saved and restored or not");
}

fn use_ssds(seeds: impl Iterator<Item = u64>) {
    let only: Option<u64> = std::env::var("FLASHSCOPE_CHECKERS_SEED").ok().and_then(|seed| seed.parse().ok());
    for seed in seeds.filter(|&seed| only.is_none_or(|only| only == seed)) {
        let config = configs::random(seed);
        let build =
            || VirtualDrive::Ssd(Box::new(Ssd::new(config.clone(), seed).expect("the configuration was checked")));
        use_twice(&format!("ssd {config:?}"), seed, OPERATIONS_PER_SSD / 2, build);
    }
}

#[test]
fn drives_of_flash_keep_their_invariants_whatever_is_done_to_them() {
    use_ssds((0..ssd_count()).step_by(2));
}

#[test]
fn and_so_do_as_many_others() {
    use_ssds((1..ssd_count()).step_by(2));
}

#[test]
fn every_mechanism_and_every_policy_is_tried_by_at_least_one_of_them() {
    let all: Vec<_> = (0..ssd_count()).map(configs::random).collect();
    let is_tried = |name: &str, is_on: &dyn Fn(&Config) -> bool| {
        let count = all.iter().filter(|config| is_on(config)).count();
        assert!((1..all.len()).contains(&count), "{name} is on in {count} of {} drives", all.len());
    };
    configs::mechanisms().into_iter().for_each(|(mechanism, is_on)| is_tried(mechanism, &is_on));
    for &policy in VictimRule::ALL {
        is_tried(policy.name(), &|config| config.gc.policy == policy);
    }
}

#[test]
fn disks_hybrids_memory_and_stripes_keep_theirs() {
    let kinds = kinds::all();
    let steps = operations() / kinds.len() as u64 / 4;
    for (seed, (name, build)) in (0..).zip(kinds) {
        use_twice(name, seed, steps, build);
    }
}
