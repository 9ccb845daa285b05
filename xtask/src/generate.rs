//! `cargo xtask generate`: writes the committed files that are generated from specifications, folders and manifests.

mod directml_structs;
mod features;
mod lists;
mod picture;
mod recipes;
mod side_by_side;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};

use plumbline::exit::Exit;

use crate::workspace;

const EXAMPLES: &str = "\
Examples:
  cargo xtask generate          write the lists of kernels, recipes and rules, the graph of crates, the structs of DirectML's operators, and docs/onnx-and-directml.md
  cargo xtask generate --check  exit with 1 if a file would change";

/// Arguments of `cargo xtask generate`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Write nothing; fail if a file would change.
    #[arg(long)]
    check: bool,
}

/// A generated file.
pub struct Generated {
    /// The path below the workspace.
    pub path: PathBuf,
    /// The text. The modules that return it leave Rust unformatted; `generated` formats it.
    pub text: String,
}

/// Runs `cargo xtask generate`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let root = workspace();
    let mut exit = Exit::Conforms;
    for file in generated(&root)? {
        let path = root.join(&file.path);
        // A checkout on Windows may have other line endings.
        let same = std::fs::read_to_string(&path).is_ok_and(|old| old.replace("\r\n", "\n") == file.text);
        match (same, args.check) {
            (true, _) => println!("{} is up to date", file.path.display()),
            (false, true) => {
                println!("{} is not up to date; run `cargo xtask generate`", file.path.display());
                exit = Exit::DoesNotConform;
            }
            (false, false) => {
                std::fs::write(&path, file.text).with_context(|| format!("cannot write {}", path.display()))?;
                println!("wrote {}", file.path.display());
            }
        }
    }
    Ok(exit)
}

/// Returns every generated file of the workspace. The Rust files are formatted by rustfmt.
fn generated(root: &Path) -> anyhow::Result<Vec<Generated>> {
    let operators = lists::operators(root)?;
    let rules = lists::rules_files(root, &operators)?;
    let mut files = lists::lists(root, &operators, &rules)?;
    files.extend(recipes::recipes(root, &operators, &rules)?);
    files.extend(directml_structs::directml_structs());
    for file in files.iter_mut().filter(|file| file.path.extension().is_some_and(|e| e == "rs")) {
        file.text = formatted(root, &file.text).with_context(|| format!("cannot format {}", file.path.display()))?;
    }
    files.push(picture::picture(root)?);
    files.push(side_by_side::page()?);
    Ok(files)
}

/// Returns a Rust text as rustfmt formats it with the workspace's settings.
fn formatted(root: &Path, text: &str) -> anyhow::Result<String> {
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024", "--config-path"])
        .arg(root.join("rustfmt.toml"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start rustfmt")?;
    rustfmt.stdin.take().context("rustfmt has no stdin")?.write_all(text.as_bytes())?;
    let output = rustfmt.wait_with_output()?;
    if !output.status.success() {
        bail!("rustfmt failed: {}", output.status);
    }
    Ok(String::from_utf8(output.stdout)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_files_are_up_to_date() {
        let root = workspace();
        for file in generated(&root).unwrap() {
            let now = std::fs::read_to_string(root.join(&file.path)).unwrap().replace("\r\n", "\n");
            assert!(now == file.text, "{} is not up to date; run `cargo xtask generate`", file.path.display());
        }
    }
}
