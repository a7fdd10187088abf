//! A configuration that cannot be: what is said of it, and how every kind of drive comes to say it.

/// A value that cannot be, alone or together with the others.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key} is {found}; accepted: {accepted}")]
pub struct ConfigError {
    /// Where the value stands, as section and key.
    pub key: &'static str,
    /// What was found.
    pub found: String,
    /// What would have been accepted.
    pub accepted: String,
}

/// `Ok` if it holds, otherwise what was found at the key and what would have been accepted.
pub(crate) fn require(
    key: &'static str,
    found: impl ToString,
    holds: bool,
    accepted: impl FnOnce() -> String,
) -> Result<(), ConfigError> {
    if holds { Ok(()) } else { Err(ConfigError { key, found: found.to_string(), accepted: accepted() }) }
}
