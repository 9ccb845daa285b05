//! The structs of DirectML's operators with their layout in memory, from `specs/directml`.

use super::Generated;
use plumbline_spec::directml::{DirectMl, Operator};
use std::path::Path;

/// Returns the files with the structs of all operators.
pub fn directml_structs() -> [Generated; 2] {
    let is_elementwise =
        |operator: &&Operator| ["ELEMENT_WISE_", "ACTIVATION_"].iter().any(|p| operator.short_name().starts_with(p));
    let (elementwise, other): (Vec<&Operator>, Vec<&Operator>) =
        DirectMl::embedded().operators().iter().partition(is_elementwise);
    let folder = Path::new("crates/directml/src/abi");
    let file = |name: &str, about: &str, operators: &[&Operator]| Generated {
        path: folder.join(name),
        text: text(about, operators),
    };
    [
        file(
            "element_wise.rs",
            "The structs that describe `ELEMENT_WISE_*` and `ACTIVATION_*` operators.",
            &elementwise,
        ),
        file("other.rs", "The structs that describe all operators that are not in `element_wise`.", &other),
    ]
}

fn text(about: &str, operators: &[&Operator]) -> String {
    let structs: String = operators.iter().map(|operator| struct_text(operator)).collect();
    format!(
        "//! {about}\n//!\n//! Written by `cargo xtask generate` from `specs/directml`; not edited \
         by hand.\n\nuse super::*;\n\nstructs! {{\n{structs}}}\n"
    )
}

/// The largest length of a line.
const WIDTH: usize = 120;

/// Returns a struct with all fields on one line if they fit.
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

/// Returns the name that `plumbline_directml::abi` has for a type of `DirectML.h`.
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
        // All other types of fields are enumerations; a test compares the layouts with the header.
        _ => "Enum",
    }
}
