//! ONNX's text syntax: the notation that `onnx.parser` reads and `onnx.printer` writes.
//!
//! This module implements `Display` and `FromStr` for [`Model`], `ModelProto`, `GraphProto`, `FunctionProto`,
//! `NodeProto` and `TypeProto`. The grammar is that of the onnx package, release 1.23:
//!
//! ```text
//! <
//!   ir_version: 10,
//!   opset_import: ["" : 21]
//! >
//! agraph (float[N,3] x) => (float[N,3] y)
//! <
//!   float[3] bias = {0.5, -0.0, 1.0}
//! >
//! {
//!   y = Add (x, bias)
//! }
//! ```
//!
//! # Elements
//! The entries in braces are those of the field that holds elements of the type (`float_data`, `int32_data`, ...), as
//! the onnx package reads them:
//! - float, double, bool and integers of 8 to 64 bits are plain numbers, and strings are quoted;
//! - float16, bfloat16 and floats of 6 and 8 bits are written as the integer that has their bits: 15360 is 1 in
//!   float16;
//! - elements of 2 and 4 bits are packed into bytes, and each byte is written as a number: `int4[3] {33, 3}` holds 1, 2
//!   and 3;
//! - a complex number is two numbers.
//!
//! Elements in `raw_data` are printed in the same way, so reading the text gives typed fields with the same elements.
//!
//! # How our text differs from that of `onnx.printer`
//! `onnx.parser` reads our text, apart from the extensions below, but our text keeps more than that of `onnx.printer`.
//! Instead of complex numbers and of elements with 2, 4 or 6 bits, `onnx.printer` prints `...`, which no parser reads.
//! It leaves out a function's documentation, the types of its values, and its attributes with defaults.
//!
//! # Extensions
//! We also print and read what the package has no notation for. `onnx.parser` refuses a text that has one of these:
//! - `nan(0x7fa00001)`, a NaN by its bits; `nan` and `-nan` are the quiet NaN without payload, as in the package;
//! - `b"\xff\n"`, a string that is not UTF-8, with the escapes `\xHH`, `\n`, `\r`, `\t`, `\'`, `\"` and `\\`;
//! - `sparse_tensor(float[3,4]) {float[1] x {1.5}, int64[1] {7}}`, a sparse tensor in an attribute; the braces hold its
//!   values and its indices. An initializer is written `sparse_tensor(float[3,4]) x = {...}`;
//! - quoted names of attributes, operators, overloads, domains, opaque types, graphs in attributes and tensors in
//!   attributes, where the name is not an identifier or could be taken for a type or a number.
//!
//! `onnx.parser` reads a text with a list of tensors, graphs or types (`bodies: graphs = [...]`), but drops the list.
//! In a tensor of floats of 6, 8 or 16 bits, we also read elements with a point or an exponent, infinities and NaNs.
//! They are values and not bits (`float16[2] {1.5, -0.0}`). We never print them.
//!
//! # What is lost
//! The syntax has no place for some fields: documentation (except of models and functions), metadata (except of
//! models), denotations, quantization annotations, training information, device configurations, segments, fields that
//! contradict the type of a tensor or an attribute, and tensors, types and attributes that are incomplete or have an
//! unknown element type. If a message has such fields, the first line of its text is a comment that names them:
//! `# Not in this text: GraphProto.doc_string`. An absent string and an empty one are the same in some places
//! (`NodeProto.domain`). The text of a graph without a name has the name `""`.

mod elements;
mod parse;
mod print;
mod reader;
mod type_names;

use std::fmt;
use std::str::FromStr;

use crate::Model;
use crate::onnx::{FunctionProto, GraphProto, ModelProto, NodeProto, TypeProto};
use print::Printer;
use reader::Reader;

/// Where and why a text is not ONNX's syntax.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct SyntaxError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What was found or expected there.
    pub reason: String,
}

/// For each `message: method`, implements `Display` by `Printer::method` and `FromStr` by `Reader::method`.
macro_rules! syntax {
    ($($message:ident: $method:ident),*) => {$(
        impl fmt::Display for $message {
            /// Writes ONNX's text syntax (see the module `syntax`).
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut printer = Printer::default();
                let text = printer.$method(self);
                f.write_str(&printer.with_comment(text))
            }
        }

        impl FromStr for $message {
            type Err = SyntaxError;

            /// Reads ONNX's text syntax (see the module `syntax`).
            fn from_str(text: &str) -> Result<$message, SyntaxError> {
                Reader::whole(text, Reader::$method)
            }
        }
    )*};
}

syntax!(ModelProto: model, GraphProto: graph, FunctionProto: function, NodeProto: node, TypeProto: type_proto);

impl fmt::Display for Model {
    /// Writes ONNX's text syntax (see the module `syntax`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.proto.fmt(f)
    }
}

impl FromStr for Model {
    type Err = SyntaxError;

    /// Reads ONNX's text syntax (see the module `syntax`).
    fn from_str(text: &str) -> Result<Model, SyntaxError> {
        Ok(Model { proto: text.parse()? })
    }
}
