//! The step `packages`: packs every crate that can be published, just as `cargo publish` would before the upload, and
//! compiles the packed crates.
//!
//! Cargo would compile them too, but with all of their dependencies again, in a folder of its own. Here the packed
//! crates become a workspace that shares the folder of build results, so that they are checked against the dependencies
//! of the tests.

use std::path::Path;

use anyhow::{Context, bail};

use plumbline::places::places;

use super::{LINTED, cargo, in_workspace, logged, succeeds};
use crate::workspace;

/// Packs and compiles. The output goes to the end of a `log` if there is one.
pub fn run(log: Option<&Path>) -> anyhow::Result<()> {
    let target = workspace().join("target");
    let (all, folder) = (target.join("package"), places().cache.join("test/packages"));
    // Where cargo puts the packages that it would upload.
    let packed = all.join("tmp-crate");
    for old in [&all, &folder].into_iter().filter(|old| old.exists()) {
        std::fs::remove_dir_all(old).with_context(|| format!("cannot empty {}", old.display()))?;
    }
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let words = cargo(&["publish", "--dry-run", "--workspace", "--no-verify", "--allow-dirty", "--quiet"]);
    succeeds(in_workspace(&words)?.env("CARGO_TARGET_DIR", &target), &words, log)?;
    let mut patches = toml::Table::new();
    for entry in std::fs::read_dir(&packed).with_context(|| format!("cannot list {}", packed.display()))? {
        let path = entry.with_context(|| format!("cannot list {}", packed.display()))?.path();
        if path.extension().is_some_and(|extension| extension == "crate") {
            let name = unpack(&path, &folder, log)?;
            let member = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let source = toml::Table::from_iter([("path".to_owned(), member.into())]);
            patches.insert(name, source.into());
        }
    }
    if patches.is_empty() {
        bail!("cargo packed no crate that can be published");
    }
    std::fs::write(folder.join("Cargo.toml"), manifest(patches)?)
        .context("cannot write the manifest of the packages")?;
    std::fs::copy(workspace().join("Cargo.lock"), folder.join("Cargo.lock")).context("cannot copy Cargo.lock")?;
    // Where there is no `sh`, the dependencies are checked again.
    let words = cargo(&[if cfg!(unix) { "build" } else { "check" }, "--workspace", "--offline"]);
    let [_, debug] = LINTED;
    let mut command = in_workspace(&words)?;
    command.current_dir(&folder).env("CARGO_TARGET_DIR", target).envs([debug]);
    if cfg!(unix) {
        command.env("RUSTC_WORKSPACE_WRAPPER", workspace().join("scripts/rustc-check.sh"));
    }
    succeeds(&mut command, &words, log)
}

/// Unpacks a packed crate into a folder and returns its name. Fails if its manifest lacks a key that a registry shows.
fn unpack(path: &Path, folder: &Path, log: Option<&Path>) -> anyhow::Result<String> {
    let words = ["tar", "-xzf", &path.display().to_string(), "-C", &folder.display().to_string()].map(str::to_owned);
    logged(&words, log)?;
    let manifest = folder.join(path.file_stem().unwrap_or_default()).join("Cargo.toml");
    let text = std::fs::read_to_string(&manifest).with_context(|| format!("cannot read {}", manifest.display()))?;
    let table: toml::Table = text.parse().with_context(|| manifest.display().to_string())?;
    let package = table.get("package").and_then(toml::Value::as_table).context("a packed crate without [package]")?;
    let name = package.get("name").and_then(toml::Value::as_str).context("a packed crate without a name")?;
    for key in ["description", "license", "readme", "keywords", "categories"] {
        // Cargo writes `false` for a readme that is missing.
        if package.get(key).is_none_or(|value| value.as_bool() == Some(false)) {
            bail!("{name} has no {key}, which a registry shows");
        }
    }
    Ok(name.to_owned())
}

/// Returns the manifest of a workspace of the unpacked crates. They depend on each other instead of on published ones.
/// The profiles are those of this workspace, so that dependencies need not be compiled again.
fn manifest(patches: toml::Table) -> anyhow::Result<String> {
    let ours: toml::Table = std::fs::read_to_string(workspace().join("Cargo.toml"))?.parse()?;
    let members = patches.values().filter_map(|source| source.get("path").cloned()).collect::<Vec<_>>();
    let list = toml::Table::from_iter([
        ("resolver".to_owned(), "3".into()),
        ("members".to_owned(), toml::Value::Array(members)),
    ]);
    let patch = toml::Table::from_iter([("crates-io".to_owned(), patches.into())]);
    let mut table = toml::Table::from_iter([("workspace".to_owned(), list.into()), ("patch".to_owned(), patch.into())]);
    table.extend(ours.get("profile").map(|profile| ("profile".to_owned(), profile.clone())));
    Ok(toml::to_string(&table)?)
}
