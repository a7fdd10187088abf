//! A drive that is switched off in good order, kept in a warm or a cold place, and switched on again.
//!
//! Not modelled here: a temperature that changes while the drive is off.

use super::Ssd;

impl Ssd {
    /// Switch the drive off in good order, keep it at `celsius` for a time, and switch it on again.
    ///
    /// No request may be outstanding.
    pub fn power_off(&mut self, duration_ns: u64, celsius: f64) {
        assert!(self.host.is_idle(), "switched off with requests outstanding");
        self.write_out_buffer();
        self.settle();
        self.now_ns += duration_ns;
        self.last_arrival_ns = self.now_ns;
        self.data_age.off_ns += duration_ns;
        let equivalent_ns = self.config.temperature.equivalent_ns(duration_ns, celsius);
        self.data_age.off_equivalent_ns = self.data_age.off_equivalent_ns.saturating_add(equivalent_ns);
        self.counters.power_cycles += 1;
    }
}
