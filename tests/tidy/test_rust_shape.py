"""Rust files and functions keep a size that can be read at once."""

from pathlib import Path

from .rust_source import ROOT, code_of, functions_of, product_of, sources

LINES_OF_A_FILE = 400
LINES_OF_A_FUNCTION = 60
PARAMETERS = 8


def product_files() -> list[Path]:
    return sorted(path for source in sources() for path in product_of(source).values())


def all_files() -> list[Path]:
    return sorted(path for folder in ("crates", "benches") for path in (ROOT / folder).glob("**/*.rs"))


def test_no_rust_file_outside_tests_is_longer_than_400_lines() -> None:
    lengths = {path: len(path.read_text().splitlines()) for path in product_files()}
    long = [f"{path.relative_to(ROOT)}: {lines} lines" for path, lines in lengths.items() if lines > LINES_OF_A_FILE]
    assert not long, f"longer than {LINES_OF_A_FILE} lines:\n" + "\n".join(long)


def test_no_rust_function_is_longer_than_60_lines() -> None:
    long = [
        f"{path.relative_to(ROOT)}:{function.line}: {function.name} has {function.line_count} lines"
        for path in all_files()
        for function in functions_of(code_of(path.read_text()))
        if function.line_count > LINES_OF_A_FUNCTION
    ]
    assert not long, f"longer than {LINES_OF_A_FUNCTION} lines:\n" + "\n".join(long)


def test_no_rust_function_takes_more_than_8_parameters() -> None:
    many = [
        f"{path.relative_to(ROOT)}:{function.line}: {function.name} takes {function.parameter_count} parameters"
        for path in all_files()
        for function in functions_of(code_of(path.read_text()))
        if function.parameter_count > PARAMETERS
    ]
    assert not many, f"more than {PARAMETERS} parameters:\n" + "\n".join(many)


def test_lines_and_parameters_are_counted_as_a_reader_would() -> None:
    code = code_of("""
    const OPEN: char = '{'; // fn no(a: A) {
    fn short<'a, F: Fn(u8, u8) -> u8>(&self, call: F, pair: (u8, &'a str), [a, b]: [u8; 2]) -> [u8; 2] {
        let text = "fn neither() {";
        call(1, 2)
    }
    fn declared(one: u8);
    """)
    found = [(one.name, one.line, one.line_count, one.parameter_count) for one in functions_of(code)]
    assert found == [("short", 3, 4, 4), ("declared", 7, 1, 1)]
