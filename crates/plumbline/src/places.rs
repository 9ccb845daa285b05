//! The places of files: `cargo xtask` uses this project's workspace, and the installed command uses the current folder
//! and the user's cache.

use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::Context;
use include_dir::Dir;
use plumbline_spec::embedded;

/// The places where files are read and written.
#[derive(Clone, Debug)]
pub struct Places {
    /// How the command is typed, for messages and examples: `plumbline`, or `cargo xtask`.
    pub program: &'static str,
    /// Plumbline's own workspace, whose folders `specs`, `generators` and `reports` are read; `None` for the installed
    /// command, which embeds their files.
    pub workspace: Option<PathBuf>,
    /// The folder for results of runs.
    pub results: PathBuf,
    /// The folder for fetched runtimes, suites and Python packages.
    pub cache: PathBuf,
}

static PLACES: OnceLock<Places> = OnceLock::new();

impl Places {
    /// Returns the places of the installed command: results go to the current folder, and fetched files to the user's
    /// cache (`PLUMBLINE_CACHE` names another folder).
    pub fn installed() -> Places {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let cache = set("PLUMBLINE_CACHE")
            .or_else(|| set("XDG_CACHE_HOME").map(|dir| dir.join("plumbline")))
            .or_else(|| set("LOCALAPPDATA").map(|dir| dir.join("plumbline")))
            .or_else(|| std::env::home_dir().map(|home| home.join(".cache/plumbline")));
        Places {
            program: "plumbline",
            workspace: None,
            results: PathBuf::from("plumbline-results"),
            cache: cache.unwrap_or_else(|| PathBuf::from("plumbline-cache")),
        }
    }

    /// Returns the places of Plumbline's own workspace: results and fetched files go below Cargo's target folder.
    pub fn of_workspace(root: &Path) -> Places {
        let target = match std::env::var_os("CARGO_TARGET_DIR") {
            Some(dir) => root.join(dir),
            None => root.join("target"),
        };
        Places {
            program: "cargo xtask",
            workspace: Some(root.to_owned()),
            results: target.join("conformance"),
            cache: target,
        }
    }

    /// Sets the places of this process. Has no effect after the first call, or after the first use of [`places`].
    pub fn set(self) {
        let _ = PLACES.set(self);
    }
}

/// Returns the places of this process: those of the installed command unless others were set.
pub fn places() -> &'static Places {
    PLACES.get_or_init(Places::installed)
}

/// Returns how the command is typed: `plumbline`, or `cargo xtask`.
pub fn program() -> &'static str {
    places().program
}

/// Returns the path of `specs/` in the workspace.
///
/// # Errors
/// Fails for the installed command, which has no folder of specifications.
pub fn specs() -> anyhow::Result<PathBuf> {
    in_workspace("specs")
}

/// Returns a path below the workspace.
///
/// # Errors
/// Fails for the installed command.
pub fn in_workspace(path: &str) -> anyhow::Result<PathBuf> {
    let Some(root) = &places().workspace else {
        anyhow::bail!("the command needs `{path}` of Plumbline's own repository; run it there with `cargo xtask`");
    };
    Ok(root.join(path))
}

/// Returns the known verdicts of a backend: the path that messages name, and the text. `None` for a backend without
/// any.
pub fn expectations(backend: &str) -> anyhow::Result<Option<(PathBuf, String)>> {
    let name = format!("expectations/{backend}.toml");
    read("reports", &name, &plumbline_report_data::FOLDER)
}

/// Returns the path and the text of the file `name` in a top folder of the workspace. The installed command has no
/// workspace, and takes the embedded file. `None` if there is no such file.
fn read(folder: &str, name: &str, inside: &'static Dir) -> anyhow::Result<Option<(PathBuf, String)>> {
    let Some(root) = &places().workspace else {
        let file = inside.get_file(name);
        return Ok(file.map(|file| (Path::new(folder).join(name), embedded::as_text(file).to_owned())));
    };
    let path = root.join(folder).join(name);
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(Some((path, text))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// Returns the known errors of published suites: the path that messages name, and the text.
pub fn errata() -> anyhow::Result<Option<(PathBuf, String)>> {
    read("specs", "onnx/suite-errata.toml", &plumbline_spec_data::FOLDER)
}

/// Returns the folder of the cases that are kept permanently. The installed command unpacks its embedded cases into a
/// folder of its cache. The hash of the cases is in the name of this folder, so other cases get another folder.
pub fn regressions() -> anyhow::Result<PathBuf> {
    if let Some(root) = &places().workspace {
        return Ok(root.join("generators/regressions"));
    }
    let kept = embedded::below(&plumbline_generator_data::FOLDER, "regressions");
    let mut hasher = std::hash::DefaultHasher::new();
    kept.iter().for_each(|(path, file)| (path, file.contents()).hash(&mut hasher));
    let folder = places().cache.join(format!("regressions-{:016x}", hasher.finish()));
    if folder.is_dir() {
        return Ok(folder);
    }
    // The folder gets its name only when it is complete, because another process may look for it at the same time.
    let unfinished = folder.with_extension(format!("unpacking-{}", std::process::id()));
    for (path, file) in kept {
        let path = unfinished.join(path);
        let parent = path.parent().unwrap_or(&unfinished);
        std::fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
        std::fs::write(&path, file.contents()).with_context(|| format!("cannot write {}", path.display()))?;
    }
    if let Err(error) = std::fs::rename(&unfinished, &folder) {
        std::fs::remove_dir_all(&unfinished).with_context(|| format!("cannot remove {}", unfinished.display()))?;
        if !folder.is_dir() {
            return Err(error).with_context(|| format!("cannot create {}", folder.display()));
        }
    }
    Ok(folder)
}
