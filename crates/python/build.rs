//! The fingerprint of the core's source, built into the module as `SOURCE_FINGERPRINT`.
//!
//! ```text
//!   crates the core is made of: src/**/*.rs, Cargo.toml, build.rs  --+
//!   Cargo.toml of the workspace, but for its list of members       --+--> FNV-1a, 128 bits, as 32 digits
//!   Cargo.lock: what those crates need                             --+
//! ```
//!
//! The same files give the same fingerprint in any folder, without git, and in a source distribution, which holds fewer
//! members. Tests are left out, since they decide no result: files `tests.rs` or `tests_of_*.rs`, folders `tests`.
//! A new source file counts as soon as another one names it: only then is there something new to build.
//! Not covered: the compiler and its options.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    let own = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo names the folder of the crate"));
    let root = own.ancestors().nth(2).expect("the crate lies in crates/ of the workspace");
    let lock = packages_of(&read(&root.join("Cargo.lock")));
    let needed = needed_by("flashscope-python", &lock);

    let mut parts = BTreeMap::from([("Cargo.toml".to_owned(), without_members(&read(&root.join("Cargo.toml"))))]);
    parts.insert("Cargo.lock".to_owned(), needed.iter().map(|name| lock[name].text.as_str()).collect());
    let ours = needed.iter().filter_map(|name| name.strip_prefix("flashscope-"));
    for file in ours.flat_map(|name| sources_of(&root.join("crates").join(name))) {
        let name = file.strip_prefix(root).expect("a source lies in the workspace");
        let name = name.iter().map(|piece| piece.to_str().expect("sources have plain names")).collect::<Vec<_>>();
        parts.insert(name.join("/"), read(&file));
    }
    println!("cargo::rustc-env=FLASHSCOPE_SOURCE_FINGERPRINT={:032x}", fingerprint(&parts));
}

/// The text of a file, which is watched from now on.
fn read(path: &Path) -> String {
    println!("cargo::rerun-if-changed={}", path.display());
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of a crate that decide what the crate does.
fn sources_of(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![folder.join("Cargo.toml")];
    found.extend(Some(folder.join("build.rs")).filter(|path| path.exists()));
    let mut folders = vec![folder.join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.expect("a folder can be listed").path();
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            if stem == "tests" || stem.starts_with("tests_of_") {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found
}

/// The manifest of the workspace without its comments and its members, since a source distribution lists fewer members.
fn without_members(manifest: &str) -> String {
    let decides = |line: &&str| !["members", "default-members", "#"].iter().any(|start| line.starts_with(start));
    manifest.lines().filter(decides).filter(|line| !line.trim().is_empty()).map(|line| format!("{line}\n")).collect()
}

/// One package of the lock file: its entry as written, and the names of the packages that it needs.
struct Package {
    text: String,
    needs: Vec<String>,
}

/// All packages of a lock file, by name; versions of one name are taken together.
fn packages_of(lock: &str) -> BTreeMap<String, Package> {
    let mut packages = BTreeMap::new();
    for entry in lock.split("[[package]]").skip(1) {
        let mut lines = entry.lines().map(str::trim);
        let name = lines.find_map(|line| line.strip_prefix("name = ")).expect("a package has a name");
        let needs = lines.skip_while(|line| !line.starts_with("dependencies")).skip(1).take_while(|line| *line != "]");
        let needs = needs.map(|line| line.trim_matches(['"', ',']).split(' ').next().unwrap_or_default().to_owned());
        let package = packages
            .entry(name.trim_matches('"').to_owned())
            .or_insert_with(|| Package { text: String::new(), needs: Vec::new() });
        package.text.push_str(entry.trim());
        package.needs.extend(needs);
    }
    packages
}

/// The names of a package and of all packages that it needs, directly or not.
fn needed_by(first: &str, packages: &BTreeMap<String, Package>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![first.to_owned()];
    while let Some(name) = open.pop() {
        if found.insert(name.clone()) {
            open.extend(packages[&name].needs.iter().cloned());
        }
    }
    found
}

/// FNV-1a over every name and text; the length of each is hashed before it.
fn fingerprint(parts: &BTreeMap<String, String>) -> u128 {
    const OFFSET_BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let mut hash = OFFSET_BASIS;
    for text in parts.iter().flat_map(|(name, text)| [name, text]) {
        for byte in (text.len() as u64).to_le_bytes().into_iter().chain(text.bytes()) {
            hash = (hash ^ u128::from(byte)).wrapping_mul(PRIME);
        }
    }
    hash
}
