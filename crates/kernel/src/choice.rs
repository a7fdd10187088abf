//! Choices: enums in which the name of each value is written once, beside the value.
//!
//! ```text
//!   choice! {                            -->  WhenFull::ALL             every value, in the order written
//!       /// When a cache is full.             WhenFull::Past.name()     "past"
//!       pub enum WhenFull {                   "past".parse()            WhenFull::Past, or an error with all names
//!           /// It is passed by.              serde                     the same names in JSON, the place in postcard
//!           Past = "past",
//!       }
//!   }
//! ```
//!
//! Code that lists values (parsers, error texts, the border to Python, tests) uses `ALL` and has no list of its own.
//! Snapshots store the position of a value in the list, so new values are added at the end.

use std::fmt;

/// A name that is not the name of any value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    /// The name.
    pub found: String,
    /// The names of all values.
    pub accepted: Vec<&'static str>,
}

/// The text continues a sentence that begins with "KEY is ".
impl fmt::Display for UnknownName {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(text, "{:?}; accepted: {}", self.found, self.accepted.join(", "))
    }
}

impl std::error::Error for UnknownName {}

/// An enum of named values; see the module's header. The crate that uses it needs serde.
#[macro_export]
macro_rules! choice {
    (
        $(#[$about:meta])*
        $visible:vis enum $Choice:ident { $($(#[$doc:meta])* $Value:ident = $name:literal,)+ }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        $visible enum $Choice {
            $($(#[$doc])* #[serde(rename = $name)] $Value,)+
        }

        impl $Choice {
            /// Every value, in the order written.
            pub const ALL: &[Self] = &[$(Self::$Value),+];

            /// How the value is spelled wherever people or other programs see it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$Value => $name),+
                }
            }
        }

        impl std::str::FromStr for $Choice {
            type Err = $crate::choice::UnknownName;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                let named = Self::ALL.iter().copied().find(|value| value.name() == name);
                named.ok_or_else(|| $crate::choice::UnknownName {
                    found: name.to_owned(),
                    accepted: Self::ALL.iter().map(|value| value.name()).collect(),
                })
            }
        }
    };
}

#[cfg(test)]
mod tests {
    choice! {
        /// How a door stands.
        #[derive(Default)]
        enum Door {
            /// Nobody passes.
            #[default]
            Shut = "shut",
            /// A cat passes.
            Ajar = "a-jar",
        }
    }

    #[test]
    fn a_name_stands_for_its_value_and_an_unknown_one_is_refused_with_all_names() {
        for &door in Door::ALL {
            assert_eq!(door.name().parse(), Ok(door));
        }
        assert_eq!(Door::default().name(), "shut");
        let refused = "open".parse::<Door>().map_err(|error| error.to_string());
        assert_eq!(refused, Err(r#""open"; accepted: shut, a-jar"#.to_owned()));
    }
}
