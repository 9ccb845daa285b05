//! Compares the memory layout of DirectML's structs in Rust with `DirectML.h`, through a C++ compiler.
//!
//! `scripts/directx-headers.sh` unpacks the header; `cargo xtask test` runs the script. Without the header or a
//! compiler the test reports that it is skipped; with `PLUMBLINE_REQUIRE_DIRECTX_HEADERS=1` it fails instead.
#![allow(clippy::unwrap_used, reason = "a test program")]

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use plumbline_directml::abi::{self, Layout};

/// Returns the include folder, or the reason why there is none.
fn headers() -> Result<PathBuf, String> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().and_then(Path::parent).unwrap();
    let script = workspace.join("scripts/directx-headers.sh");
    let output = Command::new("sh").arg(&script).output().map_err(|error| format!("sh does not start: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    Ok(workspace.join(String::from_utf8_lossy(&output.stdout).trim()))
}

/// Returns a C++ program that prints size and alignment of every struct, and offset and size of every field.
fn program() -> String {
    let mut text = String::from("#include <wsl/winadapter.h>\n#include <directx/DirectML.h>\n");
    text += "#include <cstddef>\n#include <cstdio>\nint main() {\n";
    for Layout { name, fields, .. } in abi::layouts() {
        writeln!(text, "  printf(\"{name} %zu %zu\\n\", sizeof({name}), alignof({name}));").unwrap();
        for (field, ..) in *fields {
            let place = format!("offsetof({name}, {field}), sizeof((({name}*)0)->{field})");
            writeln!(text, "  printf(\"{name}.{field} %zu %zu\\n\", {place});").unwrap();
        }
    }
    text += "  printf(\"DML_SCALAR_UNION %zu %zu\\n\", sizeof(DML_SCALAR_UNION), alignof(DML_SCALAR_UNION));\n";
    text + "}\n"
}

/// Returns the same lines for the structs in Rust.
fn expected() -> String {
    let mut text = String::new();
    for Layout { name, size, align, fields } in abi::layouts() {
        writeln!(text, "{name} {size} {align}").unwrap();
        for (field, offset, size) in *fields {
            writeln!(text, "{name}.{field} {offset} {size}").unwrap();
        }
    }
    writeln!(text, "DML_SCALAR_UNION {} {}", size_of::<abi::Scalar>(), align_of::<abi::Scalar>()).unwrap();
    text
}

/// Compiles and runs the program. Returns its output, or the reason why the test has to be skipped.
fn seen() -> Result<String, String> {
    if !cfg!(all(unix, target_pointer_width = "64")) {
        return Err("the header's stubs are for 64-bit Unix".to_owned());
    }
    let include = headers()?;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("directml-abi");
    std::fs::create_dir_all(&folder).unwrap();
    let (source, binary) = (folder.join("layouts.cpp"), folder.join("layouts"));
    std::fs::write(&source, program()).unwrap();
    let compiler = std::env::var_os("CXX").unwrap_or_else(|| "g++".into());
    let mut command = Command::new(&compiler);
    command.args(["-std=c++17", "-w", "-DDML_TARGET_VERSION=0x6400", "-I"]).arg(&include);
    command.arg("-I").arg(include.join("wsl/stubs")).arg(&source).arg("-o").arg(&binary);
    let output = command.output().map_err(|error| format!("{} does not start: {error}", compiler.display()))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    // If the header lacks one of our structs or fields, that is our error, and the compiler reports it.
    assert!(output.status.success(), "{} does not compile the structs:\n{errors}", compiler.display());
    let output = Command::new(&binary).output().map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn every_struct_lies_in_memory_as_the_header_says() {
    let seen = match seen() {
        Ok(seen) => seen,
        Err(reason) => {
            let required = std::env::var_os("PLUMBLINE_REQUIRE_DIRECTX_HEADERS").is_some_and(|value| value == "1");
            assert!(!required, "{reason}");
            return eprintln!("SKIPPED: {reason}");
        }
    };
    let expected = expected();
    let differences: Vec<String> = expected
        .lines()
        .zip(seen.lines())
        .filter(|(ours, header)| ours != header)
        .map(|(ours, header)| format!("ours {ours}, the header's {header}"))
        .collect();
    assert_eq!(expected.lines().count(), seen.lines().count());
    assert!(
        differences.is_empty(),
        "structs (name, size, alignment) or fields (name, offset, size) differ:\n{}",
        differences.join("\n")
    );
    // There are 177 operators and the structs that they share. The operators alone have 917 fields.
    assert!(abi::layouts().count() > 195);
    let operators = abi::layouts().filter(|layout| layout.name.len() > 17 && layout.name.ends_with("_OPERATOR_DESC"));
    assert_eq!(operators.map(|layout| layout.fields.len()).sum::<usize>(), 917);
}
