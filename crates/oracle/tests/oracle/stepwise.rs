//! Checks that the oracle accepts what correct implementations answer.
//!
//! For each operator, the formulas that its kernel names, or that ONNX's text or function body has, are computed here
//! in the arithmetic of this machine, with every step rounded: in the type of the elements, and for 16-bit floats also
//! in float with one rounding at the end; with sums in several orders, with and without fused multiplications and
//! additions, and with functions that are off by one unit in the last place where the table of accuracy allows it. No
//! answer may be refused. The same formulas with a mistake show how many wrong answers the oracle notices. By hand,
//! with more cases and with the counts of each operator:
//!
//! ```text
//! PLUMBLINE_STEPWISE=100 cargo test --release -p plumbline-oracle --test oracle stepwise -- --nocapture
//! ```

mod activations;
mod draw;
mod layers;
mod machine;
mod normalizations;
mod products;
mod report;
mod rows;
mod sampling;
mod training;
