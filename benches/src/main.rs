//! Speed of the timed core: flash programs per CPU-second, one line per case.
//!
//! ```text
//!   flashscope-benches                 every case, in order
//!   flashscope-benches G1 sizes        these cases or groups only
//!   flashscope-benches --json ...      one JSON object per line instead
//! ```
//!
//! Each case runs in a process of its own, so that it has a peak memory of its own and a heap that no other case has
//! used. `docs/explanation/speed.md` explains the lines and shows earlier results.

mod aged;
mod cases;
mod clock;
mod dependent_load;
mod drives;
mod fleet;
mod jobs;
mod line;
mod measure;
mod window;

use cases::{Case, Kind};
use line::Line;
use std::process::{Command, ExitCode, Stdio};

/// Argument of the process that runs one case: measure here and print JSON.
const HERE: &str = "--here";

fn main() -> ExitCode {
    let (options, names): (Vec<_>, Vec<_>) = std::env::args().skip(1).partition(|word| word.starts_with("--"));
    let has = |option: &str| options.iter().any(|given| given == option);
    match chosen(&names) {
        Err(problem) => {
            eprintln!("flashscope-benches: {problem}");
            ExitCode::from(2)
        }
        Ok(cases) if has(HERE) => {
            for case in &cases {
                println!("{}", measured(case).to_json());
            }
            ExitCode::SUCCESS
        }
        Ok(cases) => run_all(&cases, has("--json")),
    }
}

/// The cases of these names or groups, in the order of the catalogue; without names, all that are shown by default.
fn chosen(names: &[String]) -> Result<Vec<Case>, String> {
    let all = cases::all();
    let is_known = |name: &String| all.iter().any(|case| case.is_called(name));
    if let Some(unknown) = names.iter().find(|&name| !is_known(name)) {
        let known: Vec<_> = all.iter().map(|case| case.name.as_str()).collect();
        return Err(format!("there is no case {unknown}; there are {}; and the group sizes", known.join(", ")));
    }
    let is_wanted = |case: &Case| match names {
        [] => case.shown,
        names => names.iter().any(|name| case.is_called(name)),
    };
    Ok(all.into_iter().filter(is_wanted).collect())
}

fn measured(case: &Case) -> Line {
    match case.kind {
        Kind::Drive => measure::measure(case),
        Kind::Size => dependent_load::beside(measure::measure(case)),
        Kind::Fleet { drives } => fleet::measure(case, drives),
        Kind::Aged => aged::measure(case),
    }
}

/// Run each case in its own process and print one line for each.
fn run_all(cases: &[Case], json: bool) -> ExitCode {
    let mut table_begun = false;
    for case in cases {
        let line = match in_own_process(&case.name) {
            Ok(line) => line,
            Err(problem) => {
                eprintln!("flashscope-benches: {}: {problem}", case.name);
                return ExitCode::FAILURE;
            }
        };
        if json {
            println!("{}", line.to_json());
        } else if case.kind == Kind::Size {
            if !table_begun {
                println!("\n{}", line::SIZES_HEADING);
            }
            table_begun = true;
            println!("{}", line.table_row());
        } else {
            println!("{line}");
        }
    }
    ExitCode::SUCCESS
}

fn in_own_process(name: &str) -> Result<Line, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let run = Command::new(program).args([HERE, name]).stderr(Stdio::inherit()).output();
    let output = run.map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!("its process ended with {}", output.status));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("it printed no line: {error}"))
}
