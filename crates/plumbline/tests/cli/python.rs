//! Runs the tests of the Python package (`python/tests`) with the built `plumbline`. They need a Python with the
//! packages pytest and onnx; without it, this test prints that it is skipped.

use std::path::Path;
use std::process::Command;

#[test]
fn the_python_package_passes_its_tests() {
    let python = std::env::var("PLUMBLINE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let check = Command::new(&python).args(["-c", "import onnx, pytest"]).output();
    if !check.is_ok_and(|done| done.status.success()) {
        eprintln!("SKIPPED: {python} cannot import onnx and pytest");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let cache = tempfile::tempdir().unwrap();
    let mut command = Command::new(&python);
    command.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "python/tests"]).current_dir(&root);
    command.env("PYTHONPATH", root.join("python")).env("PYTHONDONTWRITEBYTECODE", "1");
    command.env("PLUMBLINE_COMMAND", env!("CARGO_BIN_EXE_plumbline")).env("PLUMBLINE_CACHE", cache.path());
    ["PYTEST_ADDOPTS", "GITHUB_ACTIONS"].into_iter().for_each(|name| _ = command.env_remove(name));
    let done = command.output().unwrap();
    let said = [done.stdout, done.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(done.status.success(), "{said}");
    assert!(said.contains(" passed"), "no test ran: {said}");
}
