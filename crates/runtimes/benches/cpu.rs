//! Compares the speed of the `cpu` backend with that of rten and ONNX Runtime. Each case is one operator on large
//! tensors, and is measured with one thread and with two.
//!
//! Run it with `cargo bench -p plumbline-runtimes --features rten,onnxruntime --bench cpu`. Words after `--` select
//! cases by name. `PLUMBLINE_ONNXRUNTIME` is the path of ONNX Runtime's library; the default is the newest one in
//! `target/onnxruntime`. Each contender loads its model once, and gets the inputs without a copy. No matrix is packed
//! before the measurement. In each round all contenders take their turn. The printed time of a contender is its median
//! over all rounds, in milliseconds. The printed ratio is also a median over all rounds: of `cpu`'s time divided by the
//! contender's time in the same round.

use std::time::{Duration, Instant};

use plumbline_cpu::Bound;
use plumbline_tensor::{Data, Model, Tensor, Value, ValueKind, onnx};

/// The allocator of `cargo xtask`. It keeps the pages of dropped tensors for new ones.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Number of sittings. Each sitting measures all cases, with newly allocated memory. There are several sittings because
/// both the moment of a measurement and the place of its tensors in memory influence the speed.
const SITTINGS: usize = 3;

/// Number of rounds of a case in a sitting.
const ROUNDS: usize = 9;

/// Shortest duration of a round.
const ROUND: Duration = Duration::from_millis(25);

/// Pause before each contender, in which spinning threads of the previous one come to rest.
const REST: Duration = Duration::from_millis(12);

/// The name of a contender, and a function that runs the operator once.
type Contender<'a> = (&'static str, Box<dyn FnMut() + 'a>);

struct Case {
    name: String,
    model: Model,
    inputs: Vec<(Vec<usize>, Vec<f32>)>,
}

fn ints(name: &str, ints: &[i64]) -> onnx::AttributeProto {
    onnx::AttributeProto { name: Some(name.to_owned()), ints: ints.to_vec(), r#type: Some(7), ..Default::default() }
}

fn case(name: &str, op: &str, opset: i64, shapes: &[&[usize]], attribute: Vec<onnx::AttributeProto>) -> Case {
    let kind: ValueKind = "tensor(float)".parse().expect("the type is known");
    let value = |name: &str| onnx::ValueInfoProto {
        name: Some(name.to_owned()),
        r#type: Some(kind.to_proto()),
        ..Default::default()
    };
    let names: Vec<String> = ('a'..).take(shapes.len()).map(String::from).collect();
    let node = onnx::NodeProto {
        op_type: Some(op.to_owned()),
        input: names.clone(),
        output: vec!["y".to_owned()],
        attribute,
        ..Default::default()
    };
    let graph = onnx::GraphProto {
        name: Some("g".to_owned()),
        node: vec![node],
        input: names.iter().map(|name| value(name)).collect(),
        output: vec![value("y")],
        ..Default::default()
    };
    let proto = onnx::ModelProto {
        ir_version: Some(6),
        graph: Some(graph),
        opset_import: vec![onnx::OperatorSetIdProto { domain: None, version: Some(opset) }],
        ..Default::default()
    };
    let mut random = fastrand::Rng::with_seed(7);
    let mut numbers = |shape: &&[usize]| {
        let count = shape.iter().product();
        (shape.to_vec(), (0..count).map(|_| random.f32() - 0.5).collect())
    };
    Case { name: name.to_owned(), model: Model { proto }, inputs: shapes.iter().map(&mut numbers).collect() }
}

fn all() -> Vec<Case> {
    let (square, image): (&[usize], &[usize]) = (&[4096, 4096], &[8, 64, 112, 112]);
    let mut cases = vec![
        case("MatMul 512", "MatMul", 13, &[&[512, 512], &[512, 512]], vec![]),
        case(
            "Conv 3x3 64x56x56",
            "Conv",
            11,
            &[&[1, 64, 56, 56], &[64, 64, 3, 3]],
            vec![ints("pads", &[1, 1, 1, 1]), ints("kernel_shape", &[3, 3])],
        ),
        case("Add 16M", "Add", 13, &[square, square], vec![]),
        case("Add 16M and a row", "Add", 13, &[square, &[4096]], vec![]),
        case("Add 16M and a column", "Add", 13, &[square, &[4096, 1]], vec![]),
        case("Softmax 4096x1024", "Softmax", 13, &[&[4096, 1024]], vec![]),
    ];
    for order in ["0132", "0213", "0231", "0312", "1023", "3210"] {
        let axes: Vec<i64> = order.bytes().map(|digit| i64::from(digit - b'0')).collect();
        cases.push(case(
            &format!("Transpose {order} 8x64x112x112"),
            "Transpose",
            13,
            &[image],
            vec![ints("perm", &axes)],
        ));
    }
    for (name, axes) in [("rows", &[1][..]), ("columns", &[0]), ("all", &[0, 1])] {
        cases.push(case(&format!("ReduceSum 4096x4096 {name}"), "ReduceSum", 11, &[square], vec![ints("axes", axes)]));
    }
    cases
}

fn ours(case: &Case, threads: usize) -> Contender<'static> {
    let tensor = |(shape, numbers): &(Vec<usize>, Vec<f32>)| {
        let bytes = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        let kind: ValueKind = "tensor(float)".parse().expect("the type is known");
        let ValueKind::Tensor(dtype) = kind else { unreachable!("only tensors are converted") };
        Value::Tensor(Tensor::new(dtype, shape.clone(), Data::Bytes(bytes)).expect("the bytes fill the shape"))
    };
    let inputs: Vec<Value> = case.inputs.iter().map(tensor).collect();
    let bound = Bound::new(&case.model, &inputs).expect("the backend has these operators");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("the number of threads can be set");
    ("cpu", Box::new(move || pool.install(|| assert_eq!(bound.run().expect("the case runs"), 1))))
}

#[cfg(feature = "rten")]
fn rten(case: &Case, threads: usize) -> Contender<'_> {
    use rten_tensor::TensorView;

    let model = rten::ModelOptions::with_all_ops().load(case.model.to_bytes()).expect("the model loads");
    let pool = std::sync::Arc::new(rten::ThreadPool::with_num_threads(threads));
    let options = rten::RunOptions::default().with_thread_pool(Some(pool));
    let ids: Vec<_> =
        case.model.input_names().iter().map(|name| model.node_id(name).expect("the model has this input")).collect();
    let output = model.node_id("y").expect("the model has the output");
    let run = move || {
        let views = case.inputs.iter().map(|(shape, numbers)| TensorView::from_data(shape, numbers.as_slice()).into());
        let inputs = ids.iter().copied().zip(views).collect();
        std::hint::black_box(model.run(inputs, &[output], Some(options.clone())).expect("the case runs"));
    };
    ("rten", Box::new(run))
}

#[cfg(feature = "onnxruntime")]
fn onnxruntime<'c>(environment: &ort::environment::Environment, case: &'c Case, threads: usize) -> Contender<'c> {
    use std::borrow::Cow;

    use ort::session::{Session, SessionInputValue};
    use ort::value::TensorRef;

    let mut session = Session::builder(environment)
        .expect("a session can be created")
        .with_intra_threads(threads)
        .expect("the number of threads can be set")
        // Threads that keep spinning would take cores from the next contender.
        .with_config_entry("session.force_spinning_stop", "1")
        .expect("the option is known")
        .commit_from_memory(&case.model.to_bytes())
        .expect("the model loads");
    let names: Vec<String> = case.model.input_names().into_iter().map(str::to_owned).collect();
    let run = move || {
        let mut inputs: Vec<(Cow<str>, SessionInputValue)> = Vec::with_capacity(names.len());
        for (name, (shape, numbers)) in names.iter().zip(&case.inputs) {
            let tensor =
                TensorRef::from_array_view((shape.clone(), numbers.as_slice())).expect("the tensor can be created");
            inputs.push((Cow::from(name.clone()), SessionInputValue::from(tensor.into_dyn())));
        }
        std::hint::black_box(session.run(inputs).expect("the case runs").len());
    };
    ("ONNX Runtime", Box::new(run))
}

/// Loads the library of ONNX Runtime. Returns `None` if there is none, or if it cannot be used.
#[cfg(feature = "onnxruntime")]
fn load_onnxruntime() -> Option<ort::environment::Environment> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/onnxruntime");
    let newest = || {
        let mut folders: Vec<_> = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
        folders.sort();
        let files = std::fs::read_dir(folders.last()?).ok()?.flatten().map(|entry| entry.path());
        files.into_iter().find(|path| path.to_string_lossy().contains("libonnxruntime.so"))
    };
    let library: std::path::PathBuf = std::env::var_os("PLUMBLINE_ONNXRUNTIME").map(Into::into).or_else(newest)?;
    println!("ONNX Runtime: {}", library.display());
    // `ort` calls functions that came with version 1.24.
    plumbline_runtimes::onnxruntime::table::load(&library).ok().filter(|loaded| loaded.is_complete)?;
    let environment = ort::init().with_name("benchmark").with_telemetry(false).build().ok()?;
    environment.set_log_level(ort::logging::LogLevel::Fatal);
    Some(environment)
}

/// Measures each contender in several rounds. For each round, `seconds` of a contender gets the average duration of a
/// run.
fn measure(contenders: &mut [Contender], seconds: &mut [Vec<f64>]) {
    for round in 0..=ROUNDS {
        for ((_, run), seconds) in contenders.iter_mut().zip(&mut *seconds) {
            std::thread::sleep(REST);
            let (start, mut runs) = (Instant::now(), 0);
            while start.elapsed() < ROUND {
                run();
                runs += 1;
            }
            // The first round warms up and is not counted.
            if round > 0 {
                seconds.push(start.elapsed().as_secs_f64() / f64::from(runs));
            }
        }
    }
}

fn median(seconds: impl Iterator<Item = f64>) -> f64 {
    let mut seconds: Vec<f64> = seconds.collect();
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    #[cfg(feature = "onnxruntime")]
    let environment = load_onnxruntime();
    let mut cases = all();
    cases.retain(|case| words.is_empty() || words.iter().any(|word| case.name.contains(word)));
    let pairs: Vec<(&Case, usize)> = cases.iter().flat_map(|case| [(case, 1), (case, 2)]).collect();
    let mut names = vec![];
    let mut seconds = vec![vec![vec![]; 3]; pairs.len()];
    for sitting in 1..=SITTINGS {
        eprintln!("sitting {sitting} of {SITTINGS}, {} cases", pairs.len());
        for (&(case, threads), seconds) in pairs.iter().zip(&mut seconds) {
            #[allow(unused_mut, reason = "there may be no other contender")]
            let mut contenders = vec![ours(case, threads)];
            #[cfg(feature = "rten")]
            contenders.push(rten(case, threads));
            #[cfg(feature = "onnxruntime")]
            if let Some(environment) = &environment {
                contenders.push(onnxruntime(environment, case, threads));
            }
            measure(&mut contenders, seconds);
            names = contenders.iter().map(|(name, _)| *name).collect();
        }
    }
    println!("| case | threads | contender | ms | time of cpu / time of contender |\n| --- | --- | --- | --- | --- |");
    for ((case, threads), seconds) in pairs.iter().zip(&seconds) {
        for (name, own) in names.iter().zip(seconds) {
            // A ratio compares two times of the same round, because what slows the machine for a while slows both.
            let ratio = match *name {
                "cpu" => String::new(),
                _ => format!("{:.2}", median(seconds[0].iter().zip(own).map(|(cpu, own)| cpu / own))),
            };
            let ms = 1e3 * median(own.iter().copied());
            println!("| {} | {threads} | {name} | {ms:.2} | {ratio} |", case.name);
        }
    }
}
