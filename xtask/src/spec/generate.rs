//! `cargo xtask spec generate`: code that is written out of the specifications.

use crate::exit::Exit;
use crate::paths;
use anyhow::Context;
use clap::ValueEnum;
use plumbline_spec::directml::{DirectMl, Operator};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  cargo xtask spec generate directml-structs          the structs of DirectML's operators, as Rust
  cargo xtask spec generate directml-structs --check  exit 1 when the files are not what they would become";

/// Arguments of `cargo xtask spec generate`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// What to write.
    #[arg(value_enum)]
    what: What,
    /// Write nothing; fail when the files are not what they would become.
    #[arg(long)]
    check: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// The descriptions of DirectML's operators as they lie in memory.
    DirectmlStructs,
}

/// Runs `cargo xtask spec generate`.
pub fn run(args: Args) -> anyhow::Result<Exit> {
    let What::DirectmlStructs = args.what;
    let mut exit = Exit::Conforms;
    for (path, text) in directml_structs() {
        // A checkout on Windows may have other ends of lines.
        let same = std::fs::read_to_string(&path).is_ok_and(|old| old.replace("\r\n", "\n") == text);
        match (same, args.check) {
            (true, _) => println!("{} is what the specifications say", path.display()),
            (false, true) => {
                println!("{} is not what the specifications say", path.display());
                exit = Exit::DoesNotConform;
            }
            (false, false) => {
                std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
                println!("wrote {}", path.display());
            }
        }
    }
    Ok(exit)
}

/// The files with the structs of all operators.
fn directml_structs() -> [(PathBuf, String); 2] {
    let is_elementwise =
        |operator: &&Operator| ["ELEMENT_WISE_", "ACTIVATION_"].iter().any(|p| operator.short_name().starts_with(p));
    let (elementwise, other): (Vec<&Operator>, Vec<&Operator>) =
        DirectMl::embedded().operators().iter().partition(is_elementwise);
    let folder = paths::workspace().join("crates/executor/src/directml/abi");
    [
        (folder.join("elementwise.rs"), file("Descriptions of `ELEMENT_WISE_*` and `ACTIVATION_*`.", &elementwise)),
        (folder.join("other.rs"), file("Descriptions of all other operators.", &other)),
    ]
}

fn file(about: &str, operators: &[&Operator]) -> String {
    let structs: String = operators.iter().map(|operator| struct_text(operator)).collect();
    format!(
        "//! {about}\n//!\n//! Written by `cargo xtask spec generate directml-structs` out of `specs/directml`; not edited \
         by hand.\n\nuse super::*;\n\nstructs! {{\n{structs}}}\n"
    )
}

/// The longest a line may be.
const WIDTH: usize = 120;

/// One struct, its fields side by side.
fn struct_text(operator: &Operator) -> String {
    let name = &operator.desc_struct;
    let fields: Vec<String> =
        operator.fields.iter().map(|field| format!("{}: {}", field.name, rust_type(&field.c_type))).collect();
    let one_line = format!("    {name} {{ {} }}\n", fields.join(", "));
    if one_line.trim_end().len() <= WIDTH {
        return one_line;
    }
    let mut text = format!("    {name} {{\n");
    let mut line = String::from("       ");
    for field in fields {
        if line.len() + field.len() + 2 > WIDTH {
            text += &std::mem::replace(&mut line, String::from("       "));
            text.push('\n');
        }
        line += &format!(" {field},");
    }
    text + &line + "\n    }\n"
}

/// The name of `executor::directml::abi` for a type of `DirectML.h`.
fn rust_type(c_type: &str) -> &'static str {
    match c_type {
        "UINT" => "u32",
        "INT" => "i32",
        "FLOAT" | "float" => "f32",
        "BOOL" => "Bool",
        "DML_SCALAR_UNION" => "Scalar",
        "DML_SIZE_2D" => "Size2d",
        "const DML_OPERATOR_DESC*" => "Operator",
        "const DML_SCALE_BIAS*" => "ScaleBias",
        "const DML_TENSOR_DESC*" => "Tensor",
        "const FLOAT*" => "Floats",
        "const INT*" => "Ints",
        "const UINT*" => "Uints",
        // Whatever else there is by value is an enumeration; layouts are compared with the header.
        _ => "Enum",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_structs_of_directml_are_what_the_specifications_say() {
        for (path, text) in directml_structs() {
            let now = std::fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
            assert!(now == text, "{}: run `cargo xtask spec generate directml-structs`", path.display());
        }
    }
}
