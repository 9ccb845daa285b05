//! Embeds `specs/onnx` and `specs/directml`: writes a Rust list of `(path below the folder, text)` for each, with one
//! `include_str!` a file.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn files(dir: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if path.is_dir() {
            files(&path, found)?;
        } else if !hidden {
            found.push(path);
        }
    }
    Ok(())
}

/// Writes the list of `paths`, all below `root`, to `name`.
fn write_list(root: &Path, mut paths: Vec<PathBuf>, name: &str) -> io::Result<()> {
    paths.sort();
    let mut list = String::from("&[\n");
    for path in paths {
        let below = path.strip_prefix(root).map_err(io::Error::other)?.to_string_lossy().replace('\\', "/");
        writeln!(list, "    ({below:?}, include_str!({:?})),", path.display().to_string()).map_err(io::Error::other)?;
    }
    list.push_str("]\n");
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&out).join(name), list)?;
    // Files that come or go; rustc itself watches what is in them.
    println!("cargo::rerun-if-changed={}", root.display());
    Ok(())
}

fn main() -> io::Result<()> {
    let manifest = env::var_os("CARGO_MANIFEST_DIR").ok_or(io::ErrorKind::NotFound)?;
    let specs = fs::canonicalize(Path::new(&manifest).join("../../specs"))?;
    let onnx = specs.join("onnx");
    let mut paths = Vec::new();
    for domain in fs::read_dir(&onnx)? {
        let domain = domain?.path();
        // What lies beside the domains is about something else.
        if domain.is_dir() {
            files(&domain, &mut paths)?;
        }
    }
    write_list(&onnx, paths, "embedded.rs")?;
    let directml = specs.join("directml");
    let mut paths = Vec::new();
    files(&directml, &mut paths)?;
    write_list(&directml, paths, "embedded_directml.rs")?;
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}
