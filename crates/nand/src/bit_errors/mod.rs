//! Wrong bits in the data that is read, and whether they can be corrected.
//!
//! ```text
//!   wear, age, reads, block   law.rs, variation.rs     rate
//!   temperature               temperature.rs            |
//!                                                       v
//!   a read of some codewords   -->   clean | clean | 2 wrong | clean        wrong_bits.rs
//!                                                       |
//!                                                       v
//!                                    corrected, to be refreshed, or lost    ecc.rs
//! ```
//!
//! No stored data is ever changed: errors are drawn when data is read, and reading a counter changes nothing.
//!
//! Nearly every read is clean. So the next codeword that may have errors is drawn *ahead*, as a distance in expected
//! errors, and a clean read only shortens the distance: no draw, no logarithm. When the distance ends in a codeword,
//! its number of wrong bits is drawn, at least one for a plain binomial, and then the next distance. This equals
//! an independent draw for every codeword, because the distance is exponentially distributed and so has no memory.
//!
//! Assumed: complete codewords are read, parity included; a second read draws new errors (they do not stay in place).
//! Not modelled here: see the headers of the files above.

pub mod ecc;
pub mod law;
mod power;
pub mod temperature;
mod variation;
mod wrong_bits;

pub use ecc::EccSettings;
pub use law::BitErrorLaw;
pub use temperature::Arrhenius;

use flashscope_kernel::random::{Stream, Streams, unit_interval};
use power::IntegerPower;
use serde::{Deserialize, Serialize};
use variation::BlockVariation;
use wrong_bits::{Draws, NO_SHARE, SIDE_BY_SIDE, Tables, WrongBits, hazard_per_bit};

/// The state of the block that is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockState {
    /// Its number, unique in the drive; used only when blocks differ.
    pub block: u32,
    /// Times it was erased.
    pub erase_count: u32,
    /// Seconds since the data was programmed, at the reference temperature; used only when data ages.
    pub retention_s: u64,
    /// Reads since the block was programmed; used only when reads disturb.
    pub reads_since_program: u64,
}

/// The result of one read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOutcome {
    /// Wrong bits in all its codewords.
    pub wrong_bits: u64,
    /// Wrong bits in the codeword that has most.
    pub codeword_wrong_bits_max: u32,
    /// Codewords with a wrong bit.
    pub erring_codewords: u32,
    /// Codewords with more wrong bits than can be corrected.
    pub uncorrectable_codewords: u32,
    /// True when a codeword has so many wrong bits that the data should be moved.
    pub refresh: bool,
}

impl ReadOutcome {
    /// True when the data read is not the data written.
    pub fn is_uncorrectable(&self) -> bool {
        self.uncorrectable_codewords > 0
    }
}

/// Counts over all reads so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorCounts {
    /// Wrong bits.
    pub error_bits: u64,
    /// Codewords with a wrong bit (sectors of 512 bytes when there is no error-correcting code).
    pub erring_codewords: u64,
    /// Reads with wrong bits, all of which were corrected.
    pub corrected_reads: u64,
    /// Reads with a codeword that could not be corrected.
    pub uncorrectable_reads: u64,
    /// Codewords that could not be corrected.
    pub uncorrectable_codewords: u64,
    /// Reads after which the data is to be moved.
    pub refresh_reads: u64,
}

impl ErrorCounts {
    /// What was counted since `before`.
    pub fn since(&self, before: &Self) -> Self {
        Self {
            error_bits: self.error_bits - before.error_bits,
            erring_codewords: self.erring_codewords - before.erring_codewords,
            corrected_reads: self.corrected_reads - before.corrected_reads,
            uncorrectable_reads: self.uncorrectable_reads - before.uncorrectable_reads,
            uncorrectable_codewords: self.uncorrectable_codewords - before.uncorrectable_codewords,
            refresh_reads: self.refresh_reads - before.refresh_reads,
        }
    }
}

/// The parts of the law that depend on wear alone.
#[derive(Clone, Copy, Debug)]
struct WearTerms {
    erase_count: u32,
    fresh: f64,
    retention: f64,
    disturb: f64,
}

/// Number of erase counts whose terms are kept; the erase counts of one drive lie close together.
const REMEMBERED_COUNT: usize = 256;

/// The errors of a drive's flash.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BitErrors {
    law: BitErrorLaw,
    ecc: Option<EccSettings>,
    user_bits: u64,
    code_bits: f64,
    stream: Stream,
    /// Expected errors until the next codeword that may have one.
    distance_to_next: f64,
    retention_power: IntegerPower,
    disturb_power: IntegerPower,
    variation: Option<BlockVariation>,
    #[serde(skip)]
    wear_terms: Vec<WearTerms>,
    #[serde(skip)]
    tables: Tables,
    counts: ErrorCounts,
}

impl BitErrors {
    /// No errors yet. Without a code every error is corrected, and errors are counted per sector of 512 bytes.
    ///
    /// Uses the streams "bit errors" and, when blocks differ, "block variation".
    pub fn new(law: BitErrorLaw, ecc: Option<EccSettings>, streams: &Streams) -> Self {
        let mut stream = streams.stream("bit errors");
        let distance_to_next = exponential(&mut stream);
        Self {
            user_bits: ecc.as_ref().map_or(512 * 8, |ecc| ecc.user_bits().max(1).into()),
            code_bits: ecc.as_ref().map_or(512 * 8, EccSettings::code_bits).into(),
            ecc,
            stream,
            distance_to_next,
            retention_power: IntegerPower::new(law.retention_time_exponent),
            disturb_power: IntegerPower::new(law.disturb_reads_exponent),
            variation: BlockVariation::new(law.block_variation_cv, || streams.stream("block variation")),
            law,
            wear_terms: Vec::new(),
            tables: Tables::default(),
            counts: ErrorCounts::default(),
        }
    }

    /// Read `bits` of user data, rounded up to whole codewords, and count the wrong bits.
    #[inline]
    pub fn read(&mut self, bits: u64, state: BlockState) -> ReadOutcome {
        let codewords = bits.div_ceil(self.user_bits);
        let rate = self.rate(state);
        let hazard = self.code_bits * hazard_per_bit(rate);
        let expected = codewords as f64 * hazard;
        if expected < self.distance_to_next {
            self.distance_to_next -= expected;
            return ReadOutcome::default();
        }
        self.read_with_errors(codewords, rate, hazard)
    }

    /// Raw bit error rate of a page in this state [wrong bits per bit read].
    #[inline]
    pub fn rate(&mut self, state: BlockState) -> f64 {
        let terms = self.terms(state.erase_count);
        let mut rate = terms.fresh;
        if self.law.ages() {
            rate += terms.retention * self.retention_power.of(state.retention_s);
        }
        if self.law.is_disturbed() {
            rate += terms.disturb * self.disturb_power.of(state.reads_since_program);
        }
        if let Some(variation) = &mut self.variation {
            rate *= variation.factor(state.block);
        }
        // A bit that is wrong half of the time carries no information, so a higher rate has no meaning.
        rate.min(0.5)
    }

    #[inline]
    fn terms(&mut self, erase_count: u32) -> WearTerms {
        match self.wear_terms.get(erase_count as usize % REMEMBERED_COUNT) {
            Some(&terms) if terms.erase_count == erase_count => terms,
            _ => self.work_out_terms(erase_count),
        }
    }

    #[cold]
    fn work_out_terms(&mut self, erase_count: u32) -> WearTerms {
        let terms = WearTerms {
            erase_count,
            fresh: self.law.rate(erase_count),
            retention: self.law.retention_factor(erase_count),
            disturb: self.law.disturb_factor(erase_count),
        };
        if self.wear_terms.is_empty() {
            // Every place holds valid terms from the start, so no place needs a mark for "empty".
            self.wear_terms = vec![terms; REMEMBERED_COUNT];
        }
        self.wear_terms[erase_count as usize % REMEMBERED_COUNT] = terms;
        terms
    }

    /// A read in which the distance to the next codeword that may have errors ends.
    #[inline(never)]
    fn read_with_errors(&mut self, codewords: u64, rate: f64, hazard: f64) -> ReadOutcome {
        let spread = self.ecc.as_ref().map_or(0.0, |ecc| ecc.overdispersion_cv);
        let wrong_bits = WrongBits::new(self.code_bits as u32, rate, spread);
        let mut draws = Draws::new(wrong_bits, &mut self.tables);
        // A codeword is reached with the probability that a binomial one has errors; an overdispersed one has errors
        // less often.
        let reached = -libm::expm1(-hazard);
        let mut outcome = ReadOutcome::default();
        let (mut shares, mut drawn) = ([NO_SHARE; SIDE_BY_SIDE], 0);
        let mut codewords_left = codewords;
        loop {
            let clean = (self.distance_to_next / hazard) as u64;
            if clean >= codewords_left {
                let passed = codewords_left as f64 * hazard;
                self.distance_to_next = (self.distance_to_next - passed).max(f64::MIN_POSITIVE);
                break;
            }
            codewords_left -= clean + 1;
            shares[drawn] = reached * unit_interval(&mut self.stream);
            self.distance_to_next = exponential(&mut self.stream);
            drawn += 1;
            if drawn == SIDE_BY_SIDE {
                outcome.add_codewords(draws.at_shares(shares), self.ecc.as_ref());
                (shares, drawn) = ([NO_SHARE; SIDE_BY_SIDE], 0);
            }
        }
        match drawn {
            0 => {}
            1 => outcome.add_codewords(draws.at_shares([shares[0]]), self.ecc.as_ref()),
            _ => outcome.add_codewords(draws.at_shares(shares), self.ecc.as_ref()),
        }
        self.count(&outcome);
        outcome
    }

    fn count(&mut self, outcome: &ReadOutcome) {
        let counts = &mut self.counts;
        counts.error_bits += outcome.wrong_bits;
        counts.erring_codewords += u64::from(outcome.erring_codewords);
        counts.uncorrectable_codewords += u64::from(outcome.uncorrectable_codewords);
        counts.uncorrectable_reads += u64::from(outcome.is_uncorrectable());
        counts.corrected_reads += u64::from(outcome.wrong_bits > 0 && !outcome.is_uncorrectable());
        counts.refresh_reads += u64::from(outcome.refresh);
    }

    /// The factors on the rates of the first `block_count` blocks; empty where blocks are alike.
    pub fn block_factors(&self, block_count: u32) -> Vec<f64> {
        let Some(mut variation) = self.variation.clone() else { return Vec::new() };
        (0..block_count).map(|block| variation.factor(block)).collect()
    }

    /// All counts.
    pub fn counts(&self) -> ErrorCounts {
        self.counts
    }

    /// Count `ratio` times the wrong bits, codewords and reads of a measured stretch, for reads that are not simulated
    /// one by one. Codewords that could not be corrected are never counted in this way.
    pub fn count_times(&mut self, measured: &ErrorCounts, ratio: f64) {
        let times = |count: u64| libm::round(count as f64 * ratio) as u64;
        self.counts.error_bits += times(measured.error_bits);
        self.counts.erring_codewords += times(measured.erring_codewords);
        self.counts.corrected_reads += times(measured.corrected_reads);
    }

    /// Wrong bits in all reads so far.
    pub fn error_bits(&self) -> u64 {
        self.counts.error_bits
    }

    /// Reads with at least one wrong bit, all of whose wrong bits were corrected.
    pub fn corrected_reads(&self) -> u64 {
        self.counts.corrected_reads
    }
}

impl ReadOutcome {
    /// Add codewords with these numbers of wrong bits; one with none does not count.
    fn add_codewords<const N: usize>(&mut self, wrong: [u32; N], ecc: Option<&EccSettings>) {
        wrong.into_iter().filter(|&wrong| wrong > 0).for_each(|wrong| self.add_codeword(wrong, ecc));
    }

    fn add_codeword(&mut self, wrong: u32, ecc: Option<&EccSettings>) {
        self.wrong_bits += u64::from(wrong);
        self.codeword_wrong_bits_max = self.codeword_wrong_bits_max.max(wrong);
        self.erring_codewords += 1;
        if let Some(ecc) = ecc {
            self.uncorrectable_codewords += u32::from(wrong > ecc.correctable_bits);
            self.refresh |= ecc.refresh_threshold_bits > 0 && wrong >= ecc.refresh_threshold_bits;
        }
    }
}

/// A draw from the exponential distribution of mean 1; never 0, so that a medium without errors does not stop at it.
fn exponential(stream: &mut Stream) -> f64 {
    (-libm::log(unit_interval(stream))).max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests;
