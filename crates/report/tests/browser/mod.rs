//! Opens pages in a headless Chromium.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use libtest_mimic::Failed;

/// A browser that needs longer than this for a page hangs, which is a failure.
const DEADLINE: Duration = Duration::from_secs(300);

/// Returns the program that `PLUMBLINE_CHROMIUM` names, or the first one in `PATH` with a usual name.
pub fn find() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("PLUMBLINE_CHROMIUM") {
        return Some(path.into());
    }
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).find(|path| path.is_file())
}

/// Loads a page and returns what the browser prints on stdout, and the lines of its console.
pub fn visit(browser: &Path, page: &Path, flags: &[&str]) -> Result<(String, Vec<String>), Failed> {
    let profile = tempfile::tempdir()?;
    let (out, err) = (profile.path().join("out"), profile.path().join("err"));
    let mut child = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars"])
        .args(["--enable-logging=stderr", "--virtual-time-budget=20000"])
        .arg(format!("--user-data-dir={}", profile.path().join("profile").display()))
        .args(flags)
        .arg(format!("file://{}", page.display()))
        .stdin(Stdio::null())
        .stdout(std::fs::File::create(&out)?)
        .stderr(std::fs::File::create(&err)?)
        .spawn()?;
    let end = Instant::now() + DEADLINE;
    let status = loop {
        match child.try_wait()? {
            Some(status) => break status,
            None if Instant::now() > end => {
                child.kill()?;
                child.wait()?;
                return Err(format!("no answer from {} within {DEADLINE:?}", browser.display()).into());
            }
            None => std::thread::sleep(Duration::from_millis(50)),
        }
    };
    let log = String::from_utf8_lossy(&std::fs::read(err)?).into_owned();
    if !status.success() {
        return Err(format!("{} ended with {status}:\n{log}", browser.display()).into());
    }
    let console = log.lines().filter(|line| line.contains("CONSOLE")).map(str::to_owned).collect();
    Ok((String::from_utf8(std::fs::read(out)?)?, console))
}
