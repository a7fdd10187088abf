//! Heat makes data age faster: Arrhenius.
//!
//! ```text
//!   acceleration(T) = exp( Ea/k * (1/T_reference - 1/T) )          T in kelvin
//!
//!   96 h at 66 C   =   91 days at 40 C   =   349 days at 30 C      for Ea = 1.1 eV
//! ```
//!
//! The age of data is the sum of *equivalent* time: real time, multiplied by the acceleration relative to the
//! reference temperature of the retention term.
//!
//! 1.1 eV is an assumption of JESD218B (6.1.3). Measurements differ: Hetzler (2014) found accelerations of
//! 1.3, 2.2 and 13 from 40 C to 60, 70 and 100 C where 1.1 eV gives 11.6, 35 and 702. So the energy is a
//! parameter, and a report that used it has to state it.
//! Not modelled here: mechanisms that heat does not accelerate or even slows down (read disturb), self-heating.

use serde::{Deserialize, Serialize};

/// Boltzmann's constant [eV/K].
const BOLTZMANN_EV_PER_K: f64 = 8.617_333_262e-5;
const ZERO_CELSIUS_K: f64 = 273.15;

/// How retention depends on temperature.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Arrhenius {
    /// Activation energy [eV]; 0: temperature does not matter.
    pub activation_energy_ev: f64,
    /// Temperature at which equivalent time is real time [degrees Celsius].
    pub reference_celsius: f64,
}

impl Default for Arrhenius {
    /// 1.1 eV, and the 30 C at which JESD218B asks a client drive to keep its data for a year.
    fn default() -> Self {
        Self { activation_energy_ev: 1.1, reference_celsius: 30.0 }
    }
}

impl Arrhenius {
    /// How many times faster data ages at `celsius` than at the reference temperature [ratio].
    pub fn acceleration(&self, celsius: f64) -> f64 {
        let (reference_k, actual_k) = (self.reference_celsius + ZERO_CELSIUS_K, celsius + ZERO_CELSIUS_K);
        libm::exp(self.activation_energy_ev / BOLTZMANN_EV_PER_K * (1.0 / reference_k - 1.0 / actual_k))
    }

    /// Time at the reference temperature that ages data as much as `duration_ns` at `celsius` [ns].
    pub fn equivalent_ns(&self, duration_ns: u64, celsius: f64) -> u64 {
        if celsius == self.reference_celsius {
            return duration_ns;
        }
        // Rounded half up; a float beyond the range becomes the largest integer.
        (duration_ns as f64 * self.acceleration(celsius) + 0.5) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR_NS: f64 = 3600e9;
    const DAY_NS: f64 = 24.0 * HOUR_NS;

    fn at(reference_celsius: f64) -> Arrhenius {
        Arrhenius { reference_celsius, ..Arrhenius::default() }
    }

    fn assert_close(found: f64, expected: f64, tolerance: f64) {
        assert!((found / expected - 1.0).abs() < tolerance, "{found} is not {expected}");
    }

    #[test]
    fn a_year_at_25_c_is_hours_in_an_oven_as_published() {
        // Li et al., HotStorage 2021, list 97.65, 11.16, 1.61 and 0.28 h; to the digits of the constants:
        for (celsius, hours) in [(60.0, 97.5), (80.0, 11.13), (100.0, 1.604), (120.0, 0.2815)] {
            assert_close(365.0 * 24.0 / at(25.0).acceleration(celsius), hours, 1e-3);
        }
    }

    #[test]
    fn the_bakes_of_jesd218b_meet_the_requirements_of_both_classes() {
        let days = |hours: f64, celsius, reference| {
            at(reference).equivalent_ns((hours * HOUR_NS) as u64, celsius) as f64 / DAY_NS
        };
        assert_close(days(96.0, 66.0, 40.0), 91.0, 0.01);
        assert_close(days(96.0, 66.0, 30.0), 349.0, 0.01);
        assert_close(days(500.0, 52.0, 40.0), 94.0, 0.01);
        assert_close(days(500.0, 52.0, 30.0), 360.0, 0.01);
    }

    #[test]
    fn the_energy_is_a_parameter_because_measurements_disagree() {
        for (celsius, acceleration) in [(60.0, 11.6), (70.0, 35.3), (100.0, 702.0)] {
            assert_close(at(40.0).acceleration(celsius), acceleration, 0.01);
        }
        let indifferent = Arrhenius { activation_energy_ev: 0.0, reference_celsius: 25.0 };
        assert_eq!(indifferent.acceleration(90.0), 1.0);
    }

    #[test]
    fn at_the_reference_temperature_time_is_itself_to_the_nanosecond_and_cold_slows_it() {
        let arrhenius = Arrhenius::default();
        assert_eq!(arrhenius.equivalent_ns(u64::MAX, 30.0), u64::MAX);
        assert_eq!(arrhenius.equivalent_ns(12_345_678_901_234_567, 30.0), 12_345_678_901_234_567);
        assert!(arrhenius.equivalent_ns(1_000_000, 5.0) < 100_000);
        assert_eq!(arrhenius.equivalent_ns(u64::MAX, 500.0), u64::MAX, "more than the integer holds");
    }
}
