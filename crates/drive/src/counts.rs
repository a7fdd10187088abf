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
            /// All counts by name.
            pub fn list(&self) -> Vec<(&'static str, u64)> {
                vec![$((stringify!($name), self.$name)),*]
            }
        }
    };
}

pub(crate) use counts;
