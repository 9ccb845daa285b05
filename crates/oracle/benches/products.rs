//! Measures how many multiply-adds a second the oracle does in operators that are sums of products, and how many elements
//! a second in operators that work element by element, from the model to the finished answer.
//!
//! Run it with `cargo bench -p plumbline-oracle --bench products`; words behind `--` select the cases whose names
//! contain one of them. Each case runs with certain operands, and with operands that are intervals because another
//! node computes them.
//!
//! With `--models=FOLDER`, an absolute path, nothing is measured. The models with certain operands are written into the
//! folder, and the lines that `crates/conformance/scripts/time_products.py` reads are printed.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use plumbline_oracle::Oracle;
use plumbline_tensor::{Model, Tensor, Value};

/// Tensors are allocated and freed all the time. This allocator keeps their pages, and `cargo xtask` uses it as well.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How long a case is repeated. A case runs once at least.
const ENOUGH: Duration = Duration::from_millis(1500);

/// A node, its inputs, and how many products it sums up, or how many elements it computes.
struct Measured {
    name: &'static str,
    /// The node, whose inputs are called `i0`, `i1` and so on.
    node: &'static str,
    shapes: &'static [&'static [usize]],
    /// How many of the inputs are intervals in the second measurement.
    uncertain: usize,
    products: usize,
}

const CASES: [Measured; 12] = [
    Measured {
        name: "MatMul 512x512x512",
        node: "MatMul (i0, i1)",
        shapes: &[&[512, 512], &[512, 512]],
        uncertain: 1,
        products: 512 * 512 * 512,
    },
    Measured {
        name: "MatMul 256x256x256, both",
        node: "MatMul (i0, i1)",
        shapes: &[&[256, 256], &[256, 256]],
        uncertain: 2,
        products: 256 * 256 * 256,
    },
    Measured {
        name: "Gemm 64x1024x1024",
        node: "Gemm <transB = 1> (i0, i1, i2)",
        shapes: &[&[64, 1024], &[1024, 1024], &[1024]],
        uncertain: 1,
        products: 64 * 1024 * 1024,
    },
    Measured {
        name: "Conv 3x3, 64 to 64, 56x56",
        node: "Conv <pads = [1, 1, 1, 1]> (i0, i1)",
        shapes: &[&[1, 64, 56, 56], &[64, 64, 3, 3]],
        uncertain: 1,
        products: 64 * 64 * 9 * 56 * 56,
    },
    Measured {
        name: "Conv 1x1, 64 to 256, 56x56",
        node: "Conv (i0, i1)",
        shapes: &[&[1, 64, 56, 56], &[256, 64, 1, 1]],
        uncertain: 1,
        products: 64 * 256 * 56 * 56,
    },
    Measured {
        name: "Conv 3x3 depthwise, 96, 56x56",
        node: "Conv <pads = [1, 1, 1, 1], group = 96> (i0, i1)",
        shapes: &[&[1, 96, 56, 56], &[96, 1, 3, 3]],
        uncertain: 1,
        products: 96 * 9 * 56 * 56,
    },
    Measured {
        name: "ConvTranspose 2x2, 64 to 64, 28x28",
        node: "ConvTranspose <strides = [2, 2]> (i0, i1)",
        shapes: &[&[1, 64, 28, 28], &[64, 64, 2, 2]],
        uncertain: 1,
        products: 64 * 64 * 4 * 28 * 28,
    },
    Measured {
        name: "Attention, 12 heads of 64, 128 keys",
        node: "Attention (i0, i1, i2)",
        shapes: &[&[1, 12, 128, 64], &[1, 12, 128, 64], &[1, 12, 128, 64]],
        uncertain: 1,
        products: 2 * 12 * 128 * 128 * 64,
    },
    Measured {
        name: "LSTM, 32 steps, 64 to 64",
        node: "LSTM <hidden_size = 64> (i0, i1, i2)",
        shapes: &[&[32, 1, 64], &[1, 256, 64], &[1, 256, 64]],
        uncertain: 1,
        products: 32 * 256 * 128,
    },
    Measured {
        name: "Mul 2^20",
        node: "Mul (i0, i1)",
        shapes: &[&[1024, 1024], &[1024]],
        uncertain: 2,
        products: 1 << 20,
    },
    Measured {
        name: "Add 2^20",
        node: "Add (i0, i1)",
        shapes: &[&[1024, 1024], &[1024, 1024]],
        uncertain: 1,
        products: 1 << 20,
    },
    Measured { name: "Relu 2^20", node: "Relu (i0)", shapes: &[&[1024, 1024]], uncertain: 1, products: 1 << 20 },
];

impl Measured {
    /// Returns a model of the node. With `uncertain`, other nodes compute the first inputs from those of the model.
    fn model(&self, uncertain: bool) -> Model {
        let count = if uncertain { self.uncertain } else { 0 };
        let (mut inputs, mut nodes) = (vec!["float c".to_owned()], String::new());
        for i in 0..self.shapes.len() {
            let before = if i < count { format!("x{i}") } else { format!("i{i}") };
            if i < count {
                nodes += &format!("i{i} = Mul (x{i}, c)\n");
            }
            inputs.push(format!("float{:?} {before}", self.shapes[i]));
        }
        let text = format!(
            "<ir_version: 10, opset_import: [\"\" : 23]> g ({}) => (y) {{ {nodes} y = {} }}",
            inputs.join(", "),
            self.node
        );
        text.parse().unwrap_or_else(|e| panic!("{e}: {text}"))
    }

    /// Returns the seconds of the fastest run.
    fn seconds(&self, oracle: &Oracle, uncertain: bool) -> f64 {
        let mut random = fastrand::Rng::with_seed(1);
        let mut tensor = |shape: &[usize]| {
            let values: Vec<f32> = (0..shape.iter().product()).map(|_| random.f32() * 2.0 - 1.0).collect();
            Value::from(Tensor::from_f32s(shape.to_vec(), &values).expect("the values fill the shape"))
        };
        let factor = Value::from(Tensor::from_f32s(vec![], &[0.7]).expect("a scalar has one element"));
        let inputs: Vec<Value> = [factor].into_iter().chain(self.shapes.iter().map(|shape| tensor(shape))).collect();
        let model = self.model(uncertain);
        let (begin, mut fastest) = (Instant::now(), f64::INFINITY);
        while begin.elapsed() < ENOUGH {
            let start = Instant::now();
            oracle.answer(&model, &inputs).unwrap_or_else(|refusal| panic!("{}: {refusal:?}", self.name));
            fastest = fastest.min(start.elapsed().as_secs_f64());
        }
        fastest
    }
}

/// Writes the models with certain operands into a folder, and prints the path, the products and the name of each.
fn write_models<'a>(cases: impl Iterator<Item = &'a Measured>, folder: &Path) {
    std::fs::create_dir_all(folder).expect("the folder can be made");
    for (at, case) in cases.enumerate() {
        let path = folder.join(format!("{at}.onnx"));
        std::fs::write(&path, case.model(false).to_bytes()).expect("the model can be written");
        println!("{}\t{}\t{}", path.display(), case.products, case.name);
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let cases = CASES.iter().filter(|case| words.is_empty() || words.iter().any(|word| case.name.contains(word)));
    if let Some(folder) = std::env::args().find_map(|word| word.strip_prefix("--models=").map(PathBuf::from)) {
        return write_models(cases, &folder);
    }
    println!("| case | operands | ms | million a second |");
    println!("| --- | --- | --- | --- |");
    let oracle = Oracle::default().with_most_steps(u64::MAX);
    for case in cases {
        for (uncertain, operands) in [(false, "certain"), (true, "intervals")] {
            let seconds = case.seconds(&oracle, uncertain);
            let rate = case.products as f64 / seconds / 1e6;
            println!("| {} | {operands} | {:.1} | {rate:.1} |", case.name, seconds * 1e3);
        }
    }
}
