//! Measures the memory that a worker and its descendants use, and compares it with a limit.
//!
//! What counts is resident memory: pages that hold data. Address space that a process only reserves does not count,
//! because V8, the JVM and CUDA reserve many times what they use. Without privileges, the host cannot make the kernel
//! limit resident memory: RLIMIT_AS limits address space, RLIMIT_DATA limits writable address space (a large buffer
//! counts as soon as it is reserved), and RLIMIT_RSS has no effect. So the host measures. A worker that fills memory
//! between two measurements is the first that the kernel kills if the machine has no memory left ([`prefer_to_kill`]).
//!
//! Memory is measured on Linux only. Elsewhere a worker has no limit on memory.

/// Formats the used and the allowed number of bytes in the same unit.
#[cfg(any(target_os = "linux", test))]
fn describe(used: u64, limit: u64) -> String {
    let (unit, name) = if limit < 1 << 30 { (1 << 20, "MiB") } else { (1 << 30, "GiB") };
    let [used, limit] = [used, limit].map(|bytes| bytes as f64 / f64::from(unit));
    let limit = format!("{limit:.1}");
    format!("it used {used:.1} {name} of memory, the limit is {} {name}", limit.trim_end_matches(".0"))
}

#[cfg(target_os = "linux")]
mod linux {
    use std::path::Path;

    /// The number of measurements between two searches for new descendants.
    const SEARCH_EVERY: u32 = 4;

    /// Measures the memory of one worker.
    pub struct Meter {
        leader: u32,
        limit: Option<u64>,
        /// The worker and its descendants, as of the last search.
        processes: Vec<u32>,
        measurements: u32,
    }

    impl Meter {
        /// Returns a meter of the worker whose first process has this id.
        pub fn new(leader: u32, limit: Option<u64>) -> Meter {
            Meter { leader, limit, processes: vec![leader], measurements: 0 }
        }

        /// Measures the worker and all its descendants now. `None` if the worker has ended and is reaped.
        pub fn resident_bytes(&mut self) -> Option<u64> {
            self.processes = family(self.leader);
            let leader = resident_bytes(self.leader)?;
            let others = self.processes.iter().filter(|&&id| id != self.leader);
            Some(leader + others.filter_map(|&id| resident_bytes(id)).sum::<u64>())
        }

        /// Measures. If the worker uses more than the limit, returns a sentence that says how much.
        pub fn excess(&mut self) -> Option<String> {
            let limit = self.limit?;
            if self.measurements.is_multiple_of(SEARCH_EVERY) {
                self.processes = family(self.leader);
            }
            self.measurements = self.measurements.wrapping_add(1);
            let sum = |measure: fn(u32) -> Option<u64>| self.processes.iter().filter_map(|&id| measure(id)).sum();
            let resident: u64 = sum(resident_bytes);
            if resident <= limit {
                return None;
            }
            // Forked processes share pages, which the sum above counts once for each process. The exact measure divides
            // them among the processes, but takes the kernel some milliseconds for each gigabyte, so it is taken only
            // if the sum exceeds the limit.
            let used = match self.processes.len() {
                1 => resident,
                _ => sum(|id| proportional_bytes(id).or_else(|| resident_bytes(id))),
            };
            (used > limit).then(|| super::describe(used, limit))
        }
    }

    /// Returns a process and its descendants.
    fn family(leader: u32) -> Vec<u32> {
        let mut found = vec![leader];
        let mut at = 0;
        while let Some(id) = found.get(at) {
            // The kernel lists the children of each thread in a file. A kernel that was built without
            // CONFIG_PROC_CHILDREN does not have these files; then only the leader is measured.
            let threads = std::fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
            let lists = threads.filter_map(|thread| read(thread.path().join("children")));
            let children: Vec<u32> =
                lists.flat_map(|list| numbers(&list)).filter_map(|id| id.try_into().ok()).collect();
            for child in children {
                if !found.contains(&child) {
                    found.push(child);
                }
            }
            at += 1;
        }
        found
    }

    /// Returns the resident memory of a process; `None` if there is no such process.
    fn resident_bytes(id: u32) -> Option<u64> {
        // The second number is the resident memory in pages.
        let pages = numbers(&read(format!("/proc/{id}/statm"))?).get(1).copied()?;
        Some(pages * rustix::param::page_size() as u64)
    }

    /// Returns the resident memory of a process, where a page that several processes share is divided among them;
    /// `None` if the process has ended, or if the system does not report this number.
    fn proportional_bytes(id: u32) -> Option<u64> {
        let text = read(format!("/proc/{id}/smaps_rollup"))?;
        let kilobytes = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
        Some(numbers(kilobytes.trim_end_matches("kB")).first()? << 10)
    }

    fn read(path: impl AsRef<Path>) -> Option<String> {
        std::fs::read_to_string(path).ok()
    }

    /// Returns the numbers at the start of a text. Stops at the first word that is not a number instead of skipping it,
    /// so that the index of each number is its position in the text.
    fn numbers(text: &str) -> Vec<u64> {
        text.split_whitespace().map_while(|number| number.parse().ok()).collect()
    }

    /// Tells the kernel to kill process `id`, and those that it starts, before any other if there is no memory left.
    pub fn prefer_to_kill(id: u32) {
        // Fails if the process has ended already, or if a sandbox forbids it; the limit holds nevertheless.
        let _ = std::fs::write(format!("/proc/{id}/oom_score_adj"), "1000");
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn this_process_uses_memory() {
            let id = std::process::id();
            let resident = resident_bytes(id).expect("/proc has this process");
            assert!((1 << 20..1 << 36).contains(&resident), "{resident}");
            let proportional = proportional_bytes(id).expect("the system reports it");
            assert!((1 << 16..1 << 36).contains(&proportional), "{proportional}");
            assert!(family(id).starts_with(&[id]));
            assert_eq!(Meter::new(id, None).excess(), None);
            assert_eq!(Meter::new(id, Some(1 << 40)).excess(), None);
            let excess = Meter::new(id, Some(1 << 20)).excess().expect("this program uses more");
            assert!(excess.ends_with(" MiB of memory, the limit is 1 MiB"), "{excess}");
        }

        /// A program with a sanitizer reserves so much address space that its number of pages needs more than 32 bits.
        #[test]
        fn large_numbers_keep_their_place() {
            assert_eq!(numbers("5368713349 3462 1695\n"), [5_368_713_349, 3462, 1695]);
        }

        #[test]
        fn children_belong_to_the_family() {
            let mut child = std::process::Command::new("sleep").arg("60").spawn().expect("sleep can be started");
            let found = family(std::process::id());
            let _ = child.kill();
            let _ = child.wait();
            assert!(found.contains(&child.id()), "{found:?}");
        }
    }
}

#[cfg(target_os = "linux")]
pub(super) use linux::{Meter, prefer_to_kill};

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    /// Measures nothing on this system.
    pub struct Meter;

    impl Meter {
        /// Returns a meter without a limit.
        pub fn new(_leader: u32, _limit: Option<u64>) -> Meter {
            Meter
        }

        /// Returns `None`, because memory is not measured on this system.
        pub fn resident_bytes(&mut self) -> Option<u64> {
            None
        }

        /// Returns `None`, because memory is not measured on this system.
        pub fn excess(&mut self) -> Option<String> {
            None
        }
    }

    /// Does nothing on this system.
    pub fn prefer_to_kill(_id: u32) {}
}

#[cfg(not(target_os = "linux"))]
pub(super) use elsewhere::{Meter, prefer_to_kill};

#[cfg(test)]
mod tests {
    use super::describe;

    #[test]
    fn amounts_have_the_unit_of_the_limit() {
        assert_eq!(describe(5476083302, 4 << 30), "it used 5.1 GiB of memory, the limit is 4 GiB");
        assert_eq!(describe(3 << 30, 3 << 29), "it used 3.0 GiB of memory, the limit is 1.5 GiB");
        assert_eq!(describe(200 << 20, 100 << 20), "it used 200.0 MiB of memory, the limit is 100 MiB");
    }
}
