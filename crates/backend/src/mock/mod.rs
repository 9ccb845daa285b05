//! Backends that misbehave on purpose, to test the code that runs and judges backends.
//!
//! `mock:MODE` misbehaves on every case, `mock:MODE/3` on every third case of its process. On all other cases a mock
//! returns the answer of the backend that it wraps. If the wrapped backend refuses a case, most modes return the
//! refusal and do not count the case.

mod simple;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use plumbline_tensor::{DType, Data, Model, Tensor, Value};

pub use simple::Simple;

use crate::runner::Session;
use crate::worker::{Answer, Channel, ChannelError, answer};
use crate::{Backend, Identity, Prepared, Profile, Refusal};

/// How a mock misbehaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Behaves correctly.
    Ok,
    /// Aborts its process.
    Crash,
    /// Exits its process with status 0, as if all were well.
    Exit,
    /// Panics in Rust code, which the worker catches.
    Panic,
    /// Panics in a function with a C interface, which ends the process.
    ForeignPanic,
    /// Asks for 16 GiB of memory.
    Hungry,
    /// Uses 512 MiB of memory for half a second and answers correctly.
    Touch,
    /// Keeps 256 KiB of memory after each case, and answers correctly.
    Leak,
    /// Keeps 256 KiB of memory after each of the first 400 cases of its process, as an allocator with an arena does that
    /// grows to the size that it needs. Answers correctly.
    Arena,
    /// Reserves 1 GiB of address space for a quarter of a second, uses nothing of it, and answers correctly.
    Reserve,
    /// Starts another process that runs for an hour, then exits its own process.
    Fork,
    /// Never returns from a case.
    Hang,
    /// Takes 200 ms for a case.
    Slow,
    /// Reads requests and never answers them.
    Silent,
    /// Answers with one bit of the first element flipped.
    Lie,
    /// Flips a bit, as [`Mode::Lie`] does, on every second case, whatever number follows the mode.
    Flake,
    /// Flips a bit, as [`Mode::Lie`] does, on every case but the first of its process: the answer to a case is wrong
    /// after other cases, but right if the case runs alone in a new process.
    Stateful,
    /// Answers each run of a session except the first with one bit of the first element flipped.
    Drift,
    /// Answers each run of a session with the outputs of its first run.
    Stale,
    /// Prints to stdout and answers correctly.
    Print,
    /// Writes 1 MiB to stderr and answers correctly.
    Flood,
    /// Refuses with a message that contains escape codes for a terminal. The mock's version contains such codes, too.
    Escape,
    /// Rounds the factors of MatMul, Gemm and Conv of float to bfloat16, if they are inputs of the model.
    Bfloat16,
    /// Leaves out the last output.
    Short,
    /// Refuses because the device was lost, and goes on with the next case.
    DeviceLost,
    /// Answers with bytes that are not a frame.
    Garbage,
    /// Answers with the id of another request.
    OtherId,
    /// Answers a request twice.
    Twice,
    /// Takes one second to start.
    SlowStart,
    /// Reports that it cannot start.
    NoStart,
    /// Ends before it sends its greeting.
    DeadStart,
}

impl Mode {
    /// All modes, in the order in which messages list them.
    pub const ALL: [Mode; 31] = [
        Mode::Ok,
        Mode::Crash,
        Mode::Exit,
        Mode::Panic,
        Mode::ForeignPanic,
        Mode::Hungry,
        Mode::Touch,
        Mode::Leak,
        Mode::Arena,
        Mode::Reserve,
        Mode::Fork,
        Mode::Hang,
        Mode::Slow,
        Mode::Silent,
        Mode::Lie,
        Mode::Flake,
        Mode::Stateful,
        Mode::Drift,
        Mode::Stale,
        Mode::Print,
        Mode::Flood,
        Mode::Escape,
        Mode::Bfloat16,
        Mode::Short,
        Mode::DeviceLost,
        Mode::Garbage,
        Mode::OtherId,
        Mode::Twice,
        Mode::SlowStart,
        Mode::NoStart,
        Mode::DeadStart,
    ];

    /// Returns the mode's name, as in `mock:MODE`.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Ok => "ok",
            Mode::Crash => "crash",
            Mode::Exit => "exit",
            Mode::Panic => "panic",
            Mode::ForeignPanic => "foreign-panic",
            Mode::Hungry => "hungry",
            Mode::Touch => "touch",
            Mode::Leak => "leak",
            Mode::Arena => "arena",
            Mode::Reserve => "reserve",
            Mode::Fork => "fork",
            Mode::Hang => "hang",
            Mode::Slow => "slow",
            Mode::Silent => "silent",
            Mode::Lie => "lie",
            Mode::Flake => "flake",
            Mode::Stateful => "stateful",
            Mode::Drift => "drift",
            Mode::Stale => "stale",
            Mode::Print => "print",
            Mode::Flood => "flood",
            Mode::Escape => "escape",
            Mode::Bfloat16 => "bfloat16",
            Mode::Short => "short",
            Mode::DeviceLost => "device-lost",
            Mode::Garbage => "garbage",
            Mode::OtherId => "other-id",
            Mode::Twice => "twice",
            Mode::SlowStart => "slow-start",
            Mode::NoStart => "no-start",
            Mode::DeadStart => "dead-start",
        }
    }
}

struct State {
    inner: Box<dyn Backend>,
    mode: Mode,
    every: u64,
    cases: AtomicU64,
}

impl State {
    /// Counts a case and returns whether to misbehave on it.
    fn due(&self) -> bool {
        let case = self.cases.fetch_add(1, Ordering::Relaxed) + 1;
        case.is_multiple_of(self.every) && (case > 1 || self.mode != Mode::Stateful)
    }
}

/// A backend that misbehaves in one [`Mode`].
pub struct Mock {
    state: Arc<State>,
    name: String,
    profile: Profile,
}

impl Mock {
    /// Wraps `inner` in a mock of a mode (`crash`, `lie/3`).
    pub fn new(mode: &str, inner: Box<dyn Backend>) -> Result<Mock, String> {
        let (name, every) = match mode.split_once('/') {
            Some((name, every)) => {
                let number = every.parse().ok().filter(|n| *n > 0);
                (name, number.ok_or_else(|| format!("`{every}` in mock:{mode} is not a number of 1 or more"))?)
            }
            None => (mode, 1),
        };
        let known = || Mode::ALL.map(Mode::name).join(", ");
        let mode = Mode::ALL
            .into_iter()
            .find(|m| m.name() == name)
            .ok_or_else(|| format!("`{name}` is not a mode of the mock; the modes are {}", known()))?;
        let every = if mode == Mode::Flake { 2 } else { every };
        let profile = Profile { needs_worker: true, ..inner.profile().clone() };
        let state = Arc::new(State { inner, mode, every, cases: AtomicU64::new(0) });
        Ok(Mock { state, name: format!("mock:{}", mode.name()), profile })
    }

    /// Runs the worker's side of the protocol, including the faults that only a worker can have.
    pub fn serve(&self, mut channel: Channel) -> Result<(), ChannelError> {
        match self.state.mode {
            Mode::NoStart => return channel.start_failed("mock:no-start never starts"),
            Mode::DeadStart => return Ok(()),
            Mode::SlowStart => std::thread::sleep(Duration::from_secs(1)),
            Mode::Silent | Mode::Garbage | Mode::OtherId | Mode::Twice => {
                channel.hello(self.identity(), self.profile.clone())?;
                let mut session = Session::default();
                while let Some(request) = channel.next_request()? {
                    match (self.state.due(), self.state.mode) {
                        (true, Mode::Silent) => {}
                        (true, Mode::Garbage) => channel.write_bytes(b"all is well, said the library\n")?,
                        (due, mode) => {
                            let answer: Answer = answer(self.state.inner.as_ref(), &mut session, &request);
                            if due && mode == Mode::Twice {
                                channel.answer(request.id, answer.clone())?;
                            }
                            let other = due && mode == Mode::OtherId;
                            channel.answer(if other { request.id.wrapping_add(1000) } else { request.id }, answer)?;
                        }
                    }
                }
                return Ok(());
            }
            _ => {}
        }
        channel.serve(self)
    }
}

impl Backend for Mock {
    fn identity(&self) -> Identity {
        let version = if self.state.mode == Mode::Escape { "\x1b]0;1.0\x07" } else { "" };
        Identity { name: self.name.clone(), version: version.to_owned() }
    }

    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn prepare(&self, model: &Model) -> Result<Box<dyn Prepared>, Refusal> {
        let inner = self.state.inner.prepare(model)?;
        let factors = if self.state.mode == Mode::Bfloat16 { factors(model) } else { vec![] };
        Ok(Box::new(MockPrepared { inner, state: Arc::clone(&self.state), factors, first: None }))
    }
}

struct MockPrepared {
    inner: Box<dyn Prepared>,
    state: Arc<State>,
    /// The inputs that are rounded in [`Mode::Bfloat16`].
    factors: Vec<usize>,
    /// The outputs of the first run.
    first: Option<Vec<Value>>,
}

impl Prepared for MockPrepared {
    fn run(&mut self, inputs: &[Value]) -> Result<Vec<Value>, Refusal> {
        let mut outputs = match self.factors.as_slice() {
            [] => self.inner.run(inputs)?,
            factors => self.inner.run(&in_bfloat16(inputs, factors))?,
        };
        let first = self.first.clone();
        self.first.get_or_insert_with(|| outputs.clone());
        if !self.state.due() {
            return Ok(outputs);
        }
        match self.state.mode {
            Mode::Drift if first.is_some() => lie(&mut outputs)?,
            Mode::Stale => outputs = first.unwrap_or(outputs),
            Mode::Crash => {
                eprintln!("mock: about to crash");
                std::process::abort()
            }
            Mode::Exit => std::process::exit(0),
            Mode::Panic => panic!("mock: panic on purpose"),
            Mode::ForeignPanic => foreign_panic(),
            Mode::Hungry => outputs.push(Value::Tensor(hungry())),
            Mode::Touch => touch(),
            Mode::Leak => keep_memory(),
            Mode::Arena if self.state.cases.load(Ordering::Relaxed) <= 400 => keep_memory(),
            Mode::Reserve => reserve(),
            Mode::Fork => return Err(leave_process()),
            Mode::Slow => std::thread::sleep(Duration::from_millis(200)),
            Mode::Hang => loop {
                std::thread::sleep(Duration::from_secs(3600));
            },
            Mode::Lie | Mode::Flake | Mode::Stateful => lie(&mut outputs)?,
            Mode::Print => println!("the library says hello"),
            Mode::Flood => (0..1 << 14).for_each(|line| eprintln!("mock: this is line number {line:>37}")),
            Mode::Escape => return Err(Refusal::failed("mock: \x1b[2Jclears the screen, rings\x07 and ends\0here")),
            Mode::Short => drop(outputs.pop()),
            Mode::DeviceLost => return Err(Refusal::device_lost("mock: the device was removed")),
            _ => {}
        }
        Ok(outputs)
    }
}

/// Returns the inputs of a model that are factors of a MatMul, Gemm or Conv.
fn factors(model: &Model) -> Vec<usize> {
    let is_product = |op_type: &str| ["MatMul", "Gemm", "Conv"].contains(&op_type);
    let products = model.graph().node.iter().filter(|node| node.op_type.as_deref().is_some_and(is_product));
    let names: Vec<&String> = products.flat_map(|node| node.input.iter().take(2)).collect();
    let inputs = model.input_names();
    (0..inputs.len()).filter(|&at| names.iter().any(|name| **name == inputs[at])).collect()
}

/// Returns the inputs with the elements of some of them rounded to bfloat16 if they are floats.
fn in_bfloat16(inputs: &[Value], factors: &[usize]) -> Vec<Value> {
    let rounded = |(at, value): (usize, &Value)| match value {
        Value::Tensor(tensor) if factors.contains(&at) && tensor.dtype() == DType::Float => {
            // The upper half of the bits of a float, after the lower half is rounded to even.
            let round = |bits: u64| match bits & 0x7fff_ffff {
                0x7f80_0000.. => bits,
                _ => (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff_0000,
            };
            let bits = (0..tensor.len()).map(|index| round(tensor.bits_at(index)));
            let bits: Vec<u64> = bits.collect();
            Tensor::from_bits(DType::Float, tensor.shape().to_vec(), bits.into_iter())
                .map_or(value.clone(), Value::Tensor)
        }
        other => other.clone(),
    };
    inputs.iter().enumerate().map(rounded).collect()
}

/// Allocates 16 GiB, which is more than the default limit on address space. The memory is never touched, so a machine
/// without a limit does not suffer.
fn hungry() -> Tensor {
    let everything: Vec<u8> = vec![0; 16 << 30];
    Tensor::from_i64s(&[everything.len() as i64])
}

/// Panics in a function with a C interface, from which a panic cannot unwind.
extern "C" fn foreign_panic() {
    panic!("mock: panic on purpose");
}

/// Allocates 256 KiB, writes to them, and never frees them. The compiler would drop an allocation that nothing reads.
fn keep_memory() {
    std::mem::forget(std::hint::black_box(vec![1_u8; 256 << 10]));
}

/// Allocates 512 MiB and writes to each page.
fn touch() {
    let memory: Vec<u8> = vec![1; 512 << 20];
    std::thread::sleep(Duration::from_millis(500));
    std::hint::black_box(memory);
}

/// Allocates 1 GiB and writes to no page.
fn reserve() {
    let memory: Vec<u8> = Vec::with_capacity(1 << 30);
    std::thread::sleep(Duration::from_millis(250));
    std::hint::black_box(memory);
}

/// Starts another process, which keeps stderr open. Then exits this process. Returns only if the other process cannot
/// be started.
fn leave_process() -> Refusal {
    match std::process::Command::new("sleep").arg("3600").spawn() {
        Ok(child) => {
            eprintln!("mock: started process {}", child.id());
            std::process::exit(3)
        }
        Err(error) => Refusal::failed(format!("mock: `sleep` cannot be started: {error}")),
    }
}

/// Flips the lowest bit of the last byte of the first output's first element: an exponent bit of a float or double, a
/// high bit of an integer of more than 8 bits, the value of a bool. A string gets a `!` appended. Nothing changes if
/// the output is no tensor or has no elements.
fn lie(outputs: &mut [Value]) -> Result<(), Refusal> {
    let Some(Value::Tensor(tensor)) = outputs.first_mut() else { return Ok(()) };
    let mut data = tensor.data().clone();
    match &mut data {
        Data::Bytes(bytes) => {
            let mut changed = bytes.to_vec();
            if let Some(byte) = changed.get_mut(tensor.dtype().size().saturating_sub(1)) {
                *byte ^= 1;
            }
            *bytes = changed.into();
        }
        Data::Strings(strings) => {
            if let Some(first) = strings.first_mut() {
                first.push(b'!');
            }
        }
    }
    *tensor = Tensor::new(tensor.dtype(), tensor.shape().to_vec(), data).map_err(|e| Refusal::failed(e.to_string()))?;
    Ok(())
}
