//! Checks of what lies between the host and the translation: link and write buffer.

use crate::config_error::{ConfigError, require};
use crate::host::Link;
use crate::ssd::config::{Buffer, Config};
use flashscope_kernel::time::SECOND_NS;

impl Config {
    pub(super) fn check_host_side(&self) -> Result<(), ConfigError> {
        let Link { queue_depth, gather_ns, gather_requests, .. } = self.link;
        self.link.check("link.bytes_per_second", "link.queue_depth")?;
        require("link.gather_ns", gather_ns, gather_ns <= 1000 * SECOND_NS, || "0 (never) to 1000 s".into())?;
        let gathers = if gather_ns == 0 { gather_requests == 0 } else { (2..=queue_depth).contains(&gather_requests) };
        require("link.gather_requests", gather_requests, gathers, || match gather_ns {
            0 => "0, since link.gather_ns is 0".into(),
            _ => format!("2 to link.queue_depth, which is {queue_depth}, since link.gather_ns is {gather_ns}"),
        })?;
        let Buffer { high_water_ratio: high, low_water_ratio: low, .. } = self.buffer;
        require("buffer.high_water_ratio", high, high > 0.0 && high <= 1.0, || "above 0, at most 1".into())?;
        require("buffer.low_water_ratio", low, (0.0..high).contains(&low), || {
            format!("0 or more, below buffer.high_water_ratio, which is {high}")
        })
    }
}
