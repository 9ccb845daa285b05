//! Compiles the crate again when a file of this folder is added or removed.

fn main() {
    println!("cargo::rerun-if-changed=.");
}
