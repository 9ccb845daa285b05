//! Runs the command, and prints what it took and what it said.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::Value as Json;

/// How often the memory of the processes is read.
const EVERY: Duration = Duration::from_millis(20);

/// Prints the head of the table.
pub fn head() {
    println!("| model | nodes | judged | wrong | inaccurate | widest ULP | outputs | s | CPU s | MiB | backend MiB |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
}

/// What the processes of a run used.
#[derive(Default)]
struct Used {
    /// The largest memory of each process, in KiB; the first one is the command.
    memory: BTreeMap<u32, u64>,
    /// The time of all processors, in hundredths of a second, for each process.
    ticks: BTreeMap<u32, u64>,
}

/// Judges a model, and prints a row of the table.
pub fn row(name: &str, folder: &Path, backend: &str, further: &[String]) -> anyhow::Result<()> {
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_plumbline"))
        .arg("judge")
        .args([&folder.join("model.onnx"), folder])
        .args(["--backend", backend, "--format", "json"])
        .args(further)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let (mut stdout, mut stderr) = (child.stdout.take(), child.stderr.take());
    let reads = [
        stdout.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>),
        stderr.take().map(|pipe| Box::new(pipe) as _),
    ];
    let readers = reads.map(|pipe| {
        std::thread::spawn(move || {
            let mut text = String::new();
            pipe.map(|mut pipe| pipe.read_to_string(&mut text));
            text
        })
    });
    let used = watch(&mut child)?;
    let seconds = start.elapsed().as_secs_f64();
    let [said, complained] = readers.map(|reader| reader.join().unwrap_or_default());
    let memory = used.memory.get(&child.id()).copied().unwrap_or_default() / 1024;
    let of_backend = used.memory.iter().filter(|(id, _)| **id != child.id()).map(|(_, kib)| kib / 1024).max();
    let cpu = used.ticks.values().sum::<u64>() as f64 / 100.0;
    let figures = format!("{seconds:.1} | {cpu:.1} | {memory} | {}", of_backend.unwrap_or_default());
    let Ok(json) = serde_json::from_str::<Json>(&said) else {
        let last = complained.lines().rfind(|line| !line.is_empty()).unwrap_or("it printed nothing");
        println!("| {name} | {last} | | | | | | {figures} |");
        return Ok(());
    };
    println!("| {name} | {} | {figures} |", judgement(&json).context("the JSON lacks a key")?);
    std::fs::write(folder.join("judgement.json"), said)?;
    Ok(())
}

/// Returns the columns that the judgement fills.
fn judgement(json: &Json) -> Option<String> {
    let nodes = json["nodes"].as_array()?;
    let count = |has: &dyn Fn(&&Json) -> bool| nodes.iter().filter(has).count();
    let judged = count(&|node| !node["verdict"].is_null());
    let inaccurate = count(&|node| node["kind"] == "inaccurate");
    let wrong = count(&|node| node["accepted"] == false) - inaccurate;
    let widths = nodes.iter().flat_map(|node| node["values"].as_array().into_iter().flatten());
    let widest = widths.filter_map(|value| value["width_ulp"].as_f64()).fold(0.0, f64::max);
    let outputs = match json["outputs_by_nodes"].is_null() {
        true => json["verdict"].as_str()?.to_owned(),
        false => format!("{} by nodes", json["verdict"].as_str()?),
    };
    Some(format!("{} | {judged} | {wrong} | {inaccurate} | {widest:.0} | {outputs}", nodes.len()))
}

/// Waits for the command, and reads from time to time what it and the processes that it started use. Reads nothing where
/// there is no `/proc`.
fn watch(child: &mut Child) -> anyhow::Result<Used> {
    let mut used = Used::default();
    loop {
        for id in processes(child.id()) {
            if let Some((ticks, memory)) = usage(id) {
                used.ticks.entry(id).and_modify(|most| *most = ticks.max(*most)).or_insert(ticks);
                used.memory.entry(id).and_modify(|most| *most = memory.max(*most)).or_insert(memory);
            }
        }
        if child.try_wait()?.is_some() {
            return Ok(used);
        }
        std::thread::sleep(EVERY);
    }
}

/// Returns a process and all that it started.
fn processes(id: u32) -> Vec<u32> {
    let tasks = std::fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    let children: Vec<u32> =
        lists.flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>()).collect();
    [id].into_iter().chain(children.into_iter().flat_map(processes)).collect()
}

/// Returns the time of all processors of a process, in hundredths of a second, and the largest memory that it had, in KiB.
fn usage(id: u32) -> Option<(u64, u64)> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The fields behind the name, which may have blanks: `utime` and `stime` are the 12th and 13th.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some((ticks, peak.split_whitespace().next()?.parse().ok()?))
}
