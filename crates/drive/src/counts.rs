//! Counters of a drive, each written once: as a field, and by its name.

/// `Counters`, a struct of counts that begin at 0, and `list`, all of them by name in the order written.
macro_rules! counts {
    ($(#[doc = $about:literal])* ; $($(#[doc = $doc:literal])* $name:ident,)*) => {
        $(#[doc = $about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub struct Counters {
            $($(#[doc = $doc])* pub $name: u64,)*
        }

        impl Counters {
            /// What was counted since `before`.
            pub fn since(&self, before: &Self) -> Self {
                Self { $($name: self.$name - before.$name),* }
            }

            /// Count `ratio` times what was measured, each count rounded by itself.
            pub fn add_times(&mut self, measured: &Self, ratio: f64) {
                $(self.$name += libm::round(measured.$name as f64 * ratio) as u64;)*
            }

            /// All counts by name.
            pub fn list(&self) -> Vec<(&'static str, u64)> {
                vec![$((stringify!($name), self.$name)),*]
            }
        }
    };
}

pub(crate) use counts;
