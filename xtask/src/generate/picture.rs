//! The graph of crates in `docs/architecture.md`, from their manifests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::Generated;

/// The page that contains the graph, and the lines around it.
const PAGE: &str = "docs/architecture.md";
const BEGIN: &str = "<!-- crates: written by `cargo xtask generate` -->\n";
const END: &str = "<!-- end of crates -->\n";

/// The dependencies of each crate within this workspace.
type Dependencies = BTreeMap<String, BTreeSet<String>>;

/// Returns the page with the current graph.
///
/// # Errors
/// Fails if a manifest cannot be read, the page has no place for the graph, or the dependencies have a cycle.
pub fn picture(root: &Path) -> anyhow::Result<Generated> {
    let page = std::fs::read_to_string(root.join(PAGE)).with_context(|| format!("cannot read {PAGE}"))?;
    let page = page.replace("\r\n", "\n");
    let place = page.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let Some((before, after)) = place else { bail!("{PAGE} lacks the lines `{}` and `{}`", BEGIN.trim(), END.trim()) };
    let all = dependencies(root)?;
    let mut lines = String::new();
    for (name, direct) in &all {
        for other in direct {
            // A dependency that another one already brings needs no arrow.
            let mut indirect = false;
            for between in direct.iter().filter(|between| *between != other) {
                indirect |= reaches(&all, between, other, &mut vec![name.clone()])?;
            }
            if !indirect {
                lines += &format!("    {} --> {}\n", node(name), node(other));
            }
        }
    }
    let text = format!("{before}{BEGIN}```mermaid\nflowchart TD\n{lines}```\n{END}{after}");
    Ok(Generated { path: PathBuf::from(PAGE), text })
}

/// Returns the node of a crate. The label is the crate's name without `plumbline-`. The id keeps this prefix, because a
/// name without it could be a keyword of Mermaid.
fn node(name: &str) -> String {
    format!("{}[{}]", name.replace('-', "_"), name.strip_prefix("plumbline-").unwrap_or(name))
}

/// Returns the dependencies, without dev-dependencies, of the crates in `crates/`, of the crates `specs`, `generators`
/// and `reports`, and of xtask.
fn dependencies(root: &Path) -> anyhow::Result<Dependencies> {
    let mut manifests = vec!["specs".into(), "generators".into(), "reports".into(), PathBuf::from("xtask")];
    for entry in std::fs::read_dir(root.join("crates")).context("cannot list crates")? {
        manifests.push(Path::new("crates").join(entry.context("cannot list crates")?.file_name()));
    }
    let mut all = Dependencies::new();
    for folder in manifests {
        let path = root.join(&folder).join("Cargo.toml");
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let manifest: toml::Table = toml::from_str(&text).with_context(|| format!("cannot read {}", path.display()))?;
        let name = manifest.get("package").and_then(|package| package.get("name")?.as_str());
        let name = name.with_context(|| format!("{} names no package", path.display()))?;
        let direct =
            manifest.get("dependencies").and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::keys);
        let ours = |name: &&String| name.starts_with("plumbline");
        all.insert(name.to_owned(), direct.filter(ours).cloned().collect());
    }
    Ok(all)
}

/// Returns whether a crate depends on another one, directly or not.
fn reaches(all: &Dependencies, from: &str, to: &str, path: &mut Vec<String>) -> anyhow::Result<bool> {
    if path.iter().any(|name| name == from) {
        bail!("crates depend on each other in a circle: {} -> {from}", path.join(" -> "));
    }
    let Some(direct) = all.get(from) else { return Ok(false) };
    if direct.contains(to) {
        return Ok(true);
    }
    path.push(from.to_owned());
    for next in direct {
        if reaches(all, next, to, path)? {
            return Ok(true);
        }
    }
    path.pop();
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crates(edges: &[(&str, &str)]) -> Dependencies {
        let mut all = Dependencies::new();
        for (from, to) in edges {
            all.entry((*from).to_owned()).or_default().insert((*to).to_owned());
        }
        all
    }

    #[test]
    fn a_cycle_is_an_error() {
        let all = crates(&[("a", "b"), ("b", "c"), ("c", "a")]);
        let error = reaches(&all, "b", "x", &mut vec!["a".to_owned()]).unwrap_err().to_string();
        assert!(error.ends_with("a -> b -> c -> a"), "{error}");
    }

    #[test]
    fn transitive_dependencies_are_found() {
        let all = crates(&[("a", "b"), ("b", "c")]);
        assert!(reaches(&all, "a", "c", &mut vec![]).unwrap());
        assert!(!reaches(&all, "b", "a", &mut vec![]).unwrap());
    }
}
