//! Counters of a drive, each written once: as a field, and by its name.
//!
//! ```text
//!   counts! {                                 list()
//!       /// What a drive of this kind did.
//!       pub struct Counters {                 what is counted alike elsewhere comes first, under its own names,
//!           ..host: HostCounts,               then these
//!           /// Moves to another cylinder.
//!           seeks,
//!       }
//!   }
//! ```

/// A struct of counts that begin at 0, with `list`, which returns all of them by name in the order written. `as
/// "host_"` puts this prefix before each name.
macro_rules! counts {
    ($(#[doc = $about:literal])* $visible:vis struct $Counts:ident { $($body:tt)* }) => {
        $crate::counts::counts! { $(#[doc = $about])* $visible struct $Counts as "" { $($body)* } }
    };
    (
        $(#[doc = $about:literal])*
        $visible:vis struct $Counts:ident as $prefix:literal {
            $(..$part:ident: $Part:ty,)?
            $($(#[doc = $doc:literal])* $name:ident,)*
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        $visible struct $Counts {
            $(
                #[doc = concat!("See [`", stringify!($Part), "`].")]
                pub $part: $Part,
            )?
            $($(#[doc = $doc])* pub $name: u64,)*
        }

        impl $Counts {
            /// What was counted since `before`.
            pub fn since(&self, before: &Self) -> Self {
                Self { $($part: self.$part.since(&before.$part),)? $($name: self.$name - before.$name),* }
            }

            /// Add `ratio` times the measured counts, each product rounded.
            pub fn add_times(&mut self, measured: &Self, ratio: f64) {
                $(self.$part.add_times(&measured.$part, ratio);)?
                $(self.$name += libm::round(measured.$name as f64 * ratio) as u64;)*
            }

            /// All counts, in the order of the list.
            pub fn values(&self) -> Vec<u64> {
                self.list().into_iter().map(|(_, count)| count).collect()
            }

            /// All counts, in the order of the list, mutable.
            pub fn values_mut(&mut self) -> Vec<&mut u64> {
                let own = vec![$(&mut self.$name),*];
                [$(self.$part.values_mut(),)? own].into_iter().flatten().collect()
            }

            /// All counts by name.
            pub fn list(&self) -> Vec<(&'static str, u64)> {
                let own = [$((concat!($prefix, stringify!($name)), self.$name)),*];
                [$(self.$part.list(),)? own.to_vec()].concat()
            }
        }
    };
}

pub(crate) use counts;
