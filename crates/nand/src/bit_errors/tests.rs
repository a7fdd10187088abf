//! Draws agree with the laws, one draw for each codeword; thresholds are tested at n-1 and n.

use super::*;
use crate::bit_errors::law::DAY_S;

fn constant(rate: f64) -> BitErrorLaw {
    BitErrorLaw { fresh_ratio: rate, wear_exponent: 1.0, ..BitErrorLaw::default() }
}

fn worn(erase_count: u32) -> BlockState {
    BlockState { erase_count, ..BlockState::default() }
}

#[test]
fn the_observed_rate_is_the_law() {
    let law = BitErrorLaw { fresh_ratio: 1.7e-8, wear_coefficient: 1.8e-12, wear_exponent: 1.5, ..Default::default() };
    let expected_rate = law.rate(3000);
    assert!((expected_rate / 3.1e-7 - 1.0).abs() < 0.04, "the anchor of the preset at rated wear");
    let mut errors = BitErrors::new(law, None, &Streams::new(1));
    let (reads, bits) = (200_000_u64, 131_072_u64);
    for _ in 0..reads {
        errors.read(bits, worn(3000));
    }
    let expected = expected_rate * (reads * bits) as f64;
    let five_sigma = 5.0 * expected.sqrt();
    assert!((errors.error_bits() as f64 - expected).abs() < five_sigma);
    assert!(errors.corrected_reads() <= errors.error_bits());
}

#[test]
fn a_perfect_medium_never_errs() {
    let mut errors = BitErrors::new(constant(0.0), None, &Streams::new(1));
    assert_eq!(errors.read(u64::MAX / 2, worn(10_000)), ReadOutcome::default());
    assert_eq!(errors.counts(), ErrorCounts::default());
}

/// Wrong bits of many codewords, each in a read of its own: how many have 0, 1, 2, ...
fn histogram(rate: f64, cv: f64, codewords_per_read: u64) -> Vec<u64> {
    let ecc = EccSettings { overdispersion_cv: cv, refresh_threshold_bits: 1, ..EccSettings::bch(512, 3) };
    let mut errors = BitErrors::new(constant(rate), Some(ecc), &Streams::new(5));
    let mut seen = vec![0_u64; 4200];
    for _ in 0..200_000 {
        let outcome = errors.read(codewords_per_read * 4096, worn(0));
        seen[outcome.wrong_bits as usize] += 1;
        assert_eq!(outcome.refresh, outcome.wrong_bits > 0);
        if codewords_per_read == 1 {
            assert_eq!(outcome.is_uncorrectable(), outcome.wrong_bits > 3);
        }
    }
    seen
}

#[test]
fn wrong_bits_of_a_codeword_have_the_distribution_of_the_closed_form_rare_and_frequent() {
    for (rate, cv) in [(1e-5, 0.0), (3e-4, 0.0), (3e-4, 0.5), (5e-3, 0.0), (5e-3, 0.4), (1e-5, 0.5)] {
        let seen = histogram(rate, cv, 1);
        let wrong_bits = WrongBits::new(EccSettings::bch(512, 3).code_bits(), rate, cv);
        for limit in [0_u32, 1, 2, 3, 5, 10, 20, 25, 30] {
            let probability = libm::exp(wrong_bits.ln_more_than(limit));
            let expected = probability * 2e5;
            let found = seen[limit as usize + 1..].iter().sum::<u64>() as f64;
            let five_sigma = 5.0 * (expected * (1.0 - probability)).sqrt() + 3.0;
            assert!((found - expected).abs() < five_sigma, "rate {rate} cv {cv} over {limit}: {found}, not {expected}");
        }
    }
}

#[test]
fn it_does_not_matter_how_many_codewords_are_read_at_once() {
    for (rate, cv) in [(2e-5, 0.0), (1e-3, 0.5)] {
        let seen = histogram(rate, cv, 8);
        let clean = libm::exp(8.0 * WrongBits::new(EccSettings::bch(512, 3).code_bits(), rate, cv).ln_none());
        let five_sigma = 5.0 * (2e5 * clean * (1.0 - clean)).sqrt();
        assert!((seen[0] as f64 - 2e5 * clean).abs() < five_sigma, "rate {rate}: {} clean", seen[0]);
    }
}

#[test]
fn the_code_gives_up_one_bit_above_its_limit_and_asks_for_a_refresh_at_its_threshold() {
    let ecc = EccSettings { refresh_threshold_bits: 8, ..EccSettings::bch(512, 12) };
    let outcome = |wrong| {
        let mut outcome = ReadOutcome::default();
        outcome.add_codeword(wrong, Some(&ecc));
        (outcome.refresh, outcome.is_uncorrectable())
    };
    assert_eq!([7, 8, 12, 13].map(outcome), [(false, false), (true, false), (true, false), (true, true)]);
    let never = EccSettings { refresh_threshold_bits: 0, ..ecc.clone() };
    let mut spread = ReadOutcome::default();
    for wrong in [12, 12, 5] {
        spread.add_codeword(wrong, Some(&never));
    }
    assert!(!spread.is_uncorrectable() && !spread.refresh, "29 wrong bits in three codewords are put right");
    assert_eq!((spread.wrong_bits, spread.codeword_wrong_bits_max, spread.erring_codewords), (29, 12, 3));
}

#[test]
fn counters_add_up_over_reads_that_are_clean_corrected_and_lost() {
    let ecc = EccSettings { refresh_threshold_bits: 2, ..EccSettings::bch(512, 2) };
    let mut errors = BitErrors::new(constant(2e-4), Some(ecc), &Streams::new(9));
    let mut expected = ErrorCounts::default();
    for _ in 0..10_000 {
        let outcome = errors.read(16_384, worn(0));
        expected.error_bits += outcome.wrong_bits;
        expected.erring_codewords += u64::from(outcome.erring_codewords);
        expected.uncorrectable_codewords += u64::from(outcome.uncorrectable_codewords);
        expected.uncorrectable_reads += u64::from(outcome.is_uncorrectable());
        expected.corrected_reads += u64::from(outcome.wrong_bits > 0 && !outcome.is_uncorrectable());
        expected.refresh_reads += u64::from(outcome.refresh);
    }
    assert_eq!(errors.counts(), expected);
    assert!(expected.corrected_reads > 0 && expected.uncorrectable_reads > 0);
}

#[test]
fn age_reads_and_the_block_count_only_where_the_law_has_a_term_for_them() {
    let state = BlockState { block: 3, erase_count: 1500, retention_s: 90 * DAY_S, reads_since_program: 5000 };
    let law = BitErrorLaw::mlc_3x_nm();
    let rate = |law: &BitErrorLaw, state| BitErrors::new(law.clone(), None, &Streams::new(1)).rate(state);
    let whole = law.rate_after(1500, 90 * DAY_S, 5000);
    assert!((rate(&law, state) / whole - 1.0).abs() < 1e-4, "the table stands for the power");
    let ageless = BitErrorLaw { retention_coefficient: 0.0, disturb_coefficient: 0.0, ..law.clone() };
    assert_eq!(rate(&ageless, state), law.rate(1500));
    let varied = BitErrorLaw { block_variation_cv: 0.4, ..law };
    let of_block = |block| rate(&varied, BlockState { block, ..state });
    assert_eq!(of_block(3), of_block(3));
    assert_ne!(of_block(3), of_block(4));
}

#[test]
fn terms_are_remembered_per_erase_count_and_never_for_another_one() {
    let law = BitErrorLaw::tlc_72_layers();
    let mut errors = BitErrors::new(law.clone(), None, &Streams::new(1));
    for erase_count in [0, 1, 256, 1, 512, 0, 257, 100_000, u32::MAX, 1] {
        assert_eq!(errors.rate(worn(erase_count)), law.rate(erase_count).min(0.5), "{erase_count}");
    }
}

#[test]
fn the_same_seed_gives_the_same_errors_and_variation_reshuffles_no_other_stream() {
    let outcomes = |law: BitErrorLaw, ecc: Option<EccSettings>| {
        let mut errors = BitErrors::new(law, ecc, &Streams::new(3));
        (0..5000).map(|_| errors.read(32_768, worn(100)).wrong_bits).collect::<Vec<_>>()
    };
    let law = constant(1e-5);
    assert_eq!(outcomes(law.clone(), None), outcomes(law.clone(), None));
    // A variation too small to change a rate. It draws from a stream of its own, so nothing else changes.
    let hardly = BitErrorLaw { block_variation_cv: 1e-12, ..law.clone() };
    assert_eq!(outcomes(law.clone(), None), outcomes(hardly, None));
}
