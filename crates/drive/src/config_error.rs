//! The error for a configuration that is impossible, and how every kind of drive reports it.

/// A value that is impossible, alone or together with the others.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key} is {found}; accepted: {accepted}")]
pub struct ConfigError {
    /// The key of the value, as section and name.
    pub key: &'static str,
    /// The value that was found.
    pub found: String,
    /// What would have been accepted.
    pub accepted: String,
}

/// `Ok` if the condition holds; otherwise an error with the key, what was found and what would have been accepted.
pub(crate) fn require(
    key: &'static str,
    found: impl ToString,
    holds: bool,
    accepted: impl FnOnce() -> String,
) -> Result<(), ConfigError> {
    if holds { Ok(()) } else { Err(ConfigError { key, found: found.to_string(), accepted: accepted() }) }
}
