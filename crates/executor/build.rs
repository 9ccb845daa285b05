//! Derives the list of kernels: every `pub fn name(call: &Call) -> Answer` of `src/reference/ops/`, matched to the operators of `specs/onnx/`.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

fn key(name: &str) -> String {
    name.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect()
}

fn files(dir: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(dir) else { return found };
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn main() {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let ops = root.join("src/reference/ops");
    let specs = root.join("../../specs/onnx");
    println!("cargo::rerun-if-changed={}", ops.display());
    println!("cargo::rerun-if-changed={}", specs.display());
    println!("cargo::rerun-if-changed=build.rs");
    let operators: Vec<(String, String)> = files(&specs, "json")
        .iter()
        .filter_map(|p| {
            let domain = p.parent()?.file_name()?.to_str()?.to_owned();
            Some((domain, p.file_stem()?.to_str()?.to_owned()))
        })
        .collect();
    let mut modules = String::new();
    let mut kernels = Vec::new();
    for path in files(&ops, "rs") {
        let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default().to_owned();
        if stem == "mod" {
            continue;
        }
        let domain = path.parent().filter(|p| *p != ops).and_then(|p| p.file_name()).and_then(|n| n.to_str());
        let module = match domain {
            Some(d) => format!("{}_{stem}", d.replace('.', "_")),
            None => stem.clone(),
        };
        writeln!(modules, "#[path = {:?}]\npub mod {module};", path.display().to_string()).expect("a string takes all");
        let text = fs::read_to_string(&path).unwrap_or_default();
        for line in text.lines() {
            let Some(rest) = line.strip_prefix("pub fn ") else { continue };
            let Some((name, arguments)) = rest.split_once('(') else { continue };
            if !arguments.starts_with("call: &Call) -> Answer") {
                continue;
            }
            let wanted = key(name);
            let domain = domain.unwrap_or("ai.onnx");
            match operators.iter().find(|(d, n)| d == domain && key(n) == wanted) {
                Some((d, n)) => kernels.push(format!("    ({d:?}, {n:?}, super::ops::{module}::{name}),")),
                None => panic!("{}: `{name}` is no operator of {domain} in specs/onnx", path.display()),
            }
        }
    }
    kernels.sort();
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it"));
    let list = format!(
        "/// Every kernel, sorted by domain and operator.\npub static KERNELS: &[(&str, &str, Kernel)] = &[\n{}\n];\n",
        kernels.join("\n")
    );
    fs::write(out.join("kernels.rs"), list).expect("the build folder takes files");
    fs::write(out.join("ops.rs"), modules).expect("the build folder takes files");
}
