//! The program itself, on a very short case.

use std::process::{Command, Output};

fn benches(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_flashscope-benches")).args(words).output().expect("the program starts")
}

#[test]
fn a_case_prints_its_row_for_people() {
    let output = benches(&["tiny"]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{text}");
    let row = text.lines().find(|line| line.starts_with("tiny")).expect("a row of the case");
    assert_eq!(row.split_whitespace().count(), 8, "{row}");
}

#[test]
fn a_case_prints_its_figures_for_machines() {
    let output = benches(&["--json", "tiny"]);
    let line: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(line["case"], "tiny");
    let positive = |key: &str| line[key].as_f64().is_some_and(|value| value > 0.0);
    assert!(positive("programs_per_cpu_second") && positive("dependent_load_ns") && positive("memory_peak_bytes"));
    assert!(line["write_amplification"].as_f64().is_some_and(|value| value > 1.0), "{line}");
}

#[test]
fn a_case_that_does_not_exist_is_answered_with_those_that_do() {
    let output = benches(&["G2"]);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).expect("text");
    assert!(text.contains("no case G2") && text.contains("G1, sequential, mixed"), "{text}");
}
