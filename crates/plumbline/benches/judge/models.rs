//! Models of the size of real ones, with random weights: a classifier of images (the shapes of ResNet-50), an encoder of
//! text (BERT-base) and a decoder of text with 100 million parameters.
//!
//! Weights have the scale with which He et al. initialize layers ("Delving Deep into Rectifiers", 2015): the square of
//! their standard deviation is 2 (before a rectifier) or 1 over the number of terms of a sum. So values keep their
//! magnitude from layer to layer, as they do in models that were trained.

use std::fmt::Write;
use std::path::Path;

use plumbline_tensor::onnx::{StringStringEntryProto, TensorProto};
use plumbline_tensor::{Model, Tensor, Value, tensor_to_proto};

/// The file of a model's weights, beside the model.
const WEIGHTS: &str = "weights.bin";

/// A weight with at least this many elements is in [`WEIGHTS`], and a smaller one in the model itself.
const LARGE: usize = 256;

/// A model under construction, with values for its inputs.
struct Draft {
    /// The nodes in ONNX's text syntax.
    nodes: String,
    count: usize,
    declared: Vec<String>,
    inputs: Vec<Value>,
    initializers: Vec<TensorProto>,
    weights: Vec<u8>,
    random: fastrand::Rng,
}

impl Draft {
    fn new() -> Draft {
        Draft {
            nodes: String::new(),
            count: 0,
            declared: vec![],
            inputs: vec![],
            initializers: vec![],
            weights: vec![],
            random: fastrand::Rng::with_seed(0),
        }
    }

    /// Returns a number between -a and a, whose standard deviation is `deviation`.
    fn number(&mut self, deviation: f32) -> f32 {
        (self.random.f32() * 2.0 - 1.0) * deviation * 3f32.sqrt()
    }

    /// Adds an input of the model, with this value.
    fn input(&mut self, name: &str, value: Tensor) -> String {
        let extents: Vec<String> = value.shape().iter().map(usize::to_string).collect();
        self.declared.push(format!("{}[{}] {name}", value.dtype(), extents.join(",")));
        self.inputs.push(Value::Tensor(value));
        name.to_owned()
    }

    /// Returns a tensor of float with this mean and standard deviation.
    fn drawn(&mut self, shape: &[usize], mean: f32, deviation: f32) -> Tensor {
        let values: Vec<f32> = (0..shape.iter().product()).map(|_| mean + self.number(deviation)).collect();
        Tensor::from_f32s(shape.to_vec(), &values).expect("the elements fill the shape")
    }

    /// Adds a weight whose elements have this mean and standard deviation.
    fn weight(&mut self, shape: &[usize], mean: f32, deviation: f32) -> String {
        let tensor = self.drawn(shape, mean, deviation);
        self.constant(&tensor)
    }

    fn constant(&mut self, tensor: &Tensor) -> String {
        let name = format!("w{}", self.initializers.len());
        let mut proto = tensor_to_proto(tensor, &name);
        if tensor.len() >= LARGE
            && let Some(raw) = proto.raw_data.take()
        {
            let entry =
                |key: &str, value: String| StringStringEntryProto { key: Some(key.to_owned()), value: Some(value) };
            proto.external_data = vec![
                entry("location", WEIGHTS.to_owned()),
                entry("offset", self.weights.len().to_string()),
                entry("length", raw.len().to_string()),
            ];
            proto.data_location = Some(1);
            self.weights.extend_from_slice(&raw);
            // Tensors start on pages, so that programs can map each of them.
            self.weights.resize(self.weights.len().next_multiple_of(4096), 0);
        }
        self.initializers.push(proto);
        name
    }

    fn ints(&mut self, values: &[i64]) -> String {
        self.constant(&Tensor::from_i64s(values))
    }

    fn float(&mut self, value: f32) -> String {
        self.constant(&Tensor::from_f32s(vec![], &[value]).expect("one element fills the shape"))
    }

    /// Adds a node, and returns its output. `operator` may have attributes behind it: `Concat <axis = 0>`.
    fn node(&mut self, operator: &str, inputs: &[&str]) -> String {
        let name = format!("v{}", self.count);
        self.count += 1;
        let _ = writeln!(self.nodes, "{name} = {operator} ({})", inputs.join(", "));
        name
    }

    /// Multiplies the last axis, which has `from` elements, by a random matrix, and adds a random row if `has_bias`.
    fn linear(&mut self, x: &str, (from, to): (usize, usize), has_bias: bool) -> String {
        let weight = self.weight(&[from, to], 0.0, (from as f32).sqrt().recip());
        let product = self.node("MatMul", &[x, &weight]);
        if !has_bias {
            return product;
        }
        let bias = self.weight(&[to], 0.0, 0.02);
        self.node("Add", &[&product, &bias])
    }

    /// Adds a convolution with a bias. `gain` is the mean square of the outputs, if that of the inputs is 1.
    fn convolution(&mut self, x: &str, [from, to, kernel, stride]: [usize; 4], gain: f32) -> String {
        let weight = self.weight(&[to, from, kernel, kernel], 0.0, (gain / (from * kernel * kernel) as f32).sqrt());
        let bias = self.weight(&[to], 0.0, 0.02);
        let pad = kernel / 2;
        let operator = format!("Conv <pads = [{pad}, {pad}, {pad}, {pad}], strides = [{stride}, {stride}]>");
        self.node(&operator, &[x, &weight, &bias])
    }

    /// Splits the last axis into heads, and moves the heads before the positions.
    fn heads(&mut self, x: &str, heads: usize) -> String {
        let shape = self.ints(&[0, 0, heads as i64, -1]);
        let split = self.node("Reshape", &[x, &shape]);
        self.node("Transpose <perm = [0, 2, 1, 3]>", &[&split])
    }

    /// Writes the model, its weights and its inputs to a folder.
    fn write(self, output: &str, opset: i64, folder: &Path) -> anyhow::Result<()> {
        let ir_version = if opset > 22 { 11 } else { 8 };
        let text = format!(
            "<ir_version: {ir_version}, opset_import: [\"\" : {opset}]>\nmodel ({}) => (float[N] {output}) {{\n{}}}",
            self.declared.join(", "),
            self.nodes
        );
        let mut model: Model = text.parse()?;
        if let Some(graph) = &mut model.proto.graph {
            graph.initializer = self.initializers;
            // The shape of the output is what the nodes compute.
            graph.output.iter_mut().for_each(super::forget_shape);
        }
        std::fs::create_dir_all(folder)?;
        std::fs::write(folder.join(WEIGHTS), &self.weights)?;
        super::write_inputs(folder, &self.inputs)?;
        Ok(std::fs::write(folder.join("model.onnx"), model.to_bytes())?)
    }
}

/// Writes a classifier with the layers of ResNet-50 for an image of 224 x 224: 25.6 million parameters, 4.1 G
/// multiply-adds. Normalizations are part of the convolutions, as exporters leave them.
pub fn resnet50(folder: &Path) -> anyhow::Result<()> {
    let mut draft = Draft::new();
    let image = draft.drawn(&[1, 3, 224, 224], 0.0, 1.0);
    let image = draft.input("image", image);
    let first = draft.convolution(&image, [3, 64, 7, 2], 2.0);
    let first = draft.node("Relu", &[&first]);
    let mut x = draft.node("MaxPool <kernel_shape = [3, 3], pads = [1, 1, 1, 1], strides = [2, 2]>", &[&first]);
    let mut channels = 64;
    for (stage, blocks) in [3, 4, 6, 3].into_iter().enumerate() {
        let inner = 64 << stage;
        for block in 0..blocks {
            let stride = if block == 0 && stage > 0 { 2 } else { 1 };
            let a = draft.convolution(&x, [channels, inner, 1, 1], 2.0);
            let a = draft.node("Relu", &[&a]);
            let b = draft.convolution(&a, [inner, inner, 3, stride], 2.0);
            let b = draft.node("Relu", &[&b]);
            let c = draft.convolution(&b, [inner, 4 * inner, 1, 1], 0.5);
            let straight = match block {
                0 => draft.convolution(&x, [channels, 4 * inner, 1, stride], 1.0),
                _ => x,
            };
            let sum = draft.node("Add", &[&c, &straight]);
            x = draft.node("Relu", &[&sum]);
            channels = 4 * inner;
        }
    }
    let pooled = draft.node("GlobalAveragePool", &[&x]);
    let flat = draft.node("Flatten", &[&pooled]);
    let weight = draft.weight(&[1000, channels], 0.0, (channels as f32).sqrt().recip());
    let bias = draft.weight(&[1000], 0.0, 0.02);
    let output = draft.node("Gemm <transB = 1>", &[&flat, &weight, &bias]);
    draft.write(&output, 17, folder)
}

/// Writes an encoder with the layers of BERT-base for `tokens` tokens: 110 million parameters, 85 million multiply-adds
/// for each token.
pub fn bert_base(folder: &Path, tokens: usize) -> anyhow::Result<()> {
    const WIDTH: usize = 768;
    const HEADS: usize = 12;
    let mut draft = Draft::new();
    let drawn: Vec<i64> = (0..tokens).map(|_| draft.random.i64(0..30522)).collect();
    let ids = draft.input("ids", Tensor::from_i64s(&drawn).reshaped(vec![1, tokens])?);
    let words = draft.weight(&[30522, WIDTH], 0.0, 0.02);
    let places = draft.weight(&[512, WIDTH], 0.0, 0.02);
    let word = draft.node("Gather", &[&words, &ids]);
    let place = draft.ints(&(0..tokens as i64).collect::<Vec<_>>());
    let place = draft.node("Gather", &[&places, &place]);
    let sum = draft.node("Add", &[&word, &place]);
    let mut x = normalized(&mut draft, &sum, WIDTH);
    for _ in 0..12 {
        let [q, k, v] = [0, 1, 2].map(|_| {
            let projected = draft.linear(&x, (WIDTH, WIDTH), true);
            draft.heads(&projected, HEADS)
        });
        let k = draft.node("Transpose <perm = [0, 1, 3, 2]>", &[&k]);
        let scores = draft.node("MatMul", &[&q, &k]);
        let scale = draft.float(((WIDTH / HEADS) as f32).sqrt());
        let scores = draft.node("Div", &[&scores, &scale]);
        let shares = draft.node("Softmax <axis = -1>", &[&scores]);
        let mixed = draft.node("MatMul", &[&shares, &v]);
        let mixed = draft.node("Transpose <perm = [0, 2, 1, 3]>", &[&mixed]);
        let shape = draft.ints(&[0, 0, WIDTH as i64]);
        let mixed = draft.node("Reshape", &[&mixed, &shape]);
        let mixed = draft.linear(&mixed, (WIDTH, WIDTH), true);
        let sum = draft.node("Add", &[&mixed, &x]);
        let attended = normalized(&mut draft, &sum, WIDTH);
        let inner = draft.linear(&attended, (WIDTH, 4 * WIDTH), true);
        let inner = gelu(&mut draft, &inner);
        let inner = draft.linear(&inner, (4 * WIDTH, WIDTH), true);
        let sum = draft.node("Add", &[&inner, &attended]);
        x = normalized(&mut draft, &sum, WIDTH);
    }
    draft.write(&x, 17, folder)
}

/// Adds a layer normalization over the last axis.
fn normalized(draft: &mut Draft, x: &str, width: usize) -> String {
    let scale = draft.weight(&[width], 1.0, 0.1);
    let bias = draft.weight(&[width], 0.0, 0.1);
    draft.node("LayerNormalization <axis = -1, epsilon = 1e-12>", &[x, &scale, &bias])
}

/// Adds Gelu in the operators that exporters make of it.
fn gelu(draft: &mut Draft, x: &str) -> String {
    let (root, one, half) = (draft.float(std::f32::consts::SQRT_2), draft.float(1.0), draft.float(0.5));
    let scaled = draft.node("Div", &[x, &root]);
    let erf = draft.node("Erf", &[&scaled]);
    let sum = draft.node("Add", &[&erf, &one]);
    let product = draft.node("Mul", &[x, &sum]);
    draft.node("Mul", &[&product, &half])
}

/// Writes a decoder for `tokens` tokens in the operators of opset 23 (`RMSNormalization`, `RotaryEmbedding`,
/// `Attention`): 100 million parameters, 75 million multiply-adds for each token.
pub fn decoder(folder: &Path, tokens: usize) -> anyhow::Result<()> {
    const WIDTH: usize = 768;
    const HEADS: usize = 12;
    const INNER: usize = 2048;
    const WORDS: usize = 32000;
    let mut draft = Draft::new();
    let drawn: Vec<i64> = (0..tokens).map(|_| draft.random.i64(0..WORDS as i64)).collect();
    let ids = draft.input("ids", Tensor::from_i64s(&drawn).reshaped(vec![1, tokens])?);
    let words = draft.weight(&[WORDS, WIDTH], 0.0, 0.02);
    let mut x = draft.node("Gather", &[&words, &ids]);
    let half = WIDTH / HEADS / 2;
    let angle = |token: usize, at: usize| token as f32 * 10000f32.powf(-(at as f32) / half as f32);
    let angles: Vec<f32> = (0..tokens).flat_map(|token| (0..half).map(move |at| angle(token, at))).collect();
    let table = |f: fn(f32) -> f32| {
        let values: Vec<f32> = angles.iter().map(|angle| f(*angle)).collect();
        Tensor::from_f32s(vec![1, tokens, half], &values)
    };
    let (cosines, sines) = (draft.constant(&table(f32::cos)?), draft.constant(&table(f32::sin)?));
    let attention = format!("Attention <is_causal = 1, q_num_heads = {HEADS}, kv_num_heads = {HEADS}>");
    let rotary = format!("RotaryEmbedding <num_heads = {HEADS}>");
    for _ in 0..7 {
        let scale = draft.weight(&[WIDTH], 1.0, 0.1);
        let normal = draft.node("RMSNormalization <axis = -1, epsilon = 1e-6>", &[&x, &scale]);
        let [q, k, v] = [0, 1, 2].map(|_| draft.linear(&normal, (WIDTH, WIDTH), false));
        let [q, k] = [q, k].map(|x| draft.node(&rotary, &[&x, &cosines, &sines]));
        let mixed = draft.node(&attention, &[&q, &k, &v]);
        let mixed = draft.linear(&mixed, (WIDTH, WIDTH), false);
        x = draft.node("Add", &[&x, &mixed]);
        let scale = draft.weight(&[WIDTH], 1.0, 0.1);
        let normal = draft.node("RMSNormalization <axis = -1, epsilon = 1e-6>", &[&x, &scale]);
        let gate = draft.linear(&normal, (WIDTH, INNER), false);
        let sigmoid = draft.node("Sigmoid", &[&gate]);
        let gate = draft.node("Mul", &[&gate, &sigmoid]);
        let inner = draft.linear(&normal, (WIDTH, INNER), false);
        let inner = draft.node("Mul", &[&gate, &inner]);
        let inner = draft.linear(&inner, (INNER, WIDTH), false);
        x = draft.node("Add", &[&x, &inner]);
    }
    let scale = draft.weight(&[WIDTH], 1.0, 0.1);
    let normal = draft.node("RMSNormalization <axis = -1, epsilon = 1e-6>", &[&x, &scale]);
    let output = draft.linear(&normal, (WIDTH, WORDS), false);
    draft.write(&output, 23, folder)
}
