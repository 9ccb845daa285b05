//! Joins the results of the shards of a run, in the order in which one machine would have written them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::results::RunError;
use crate::running::earlier::Earlier;
use crate::running::settings::{Round, Settings};
use crate::running::work::{Work, by_value, shard};

/// Where the rows of a piece of work are: the position of the shard, and the range of bytes in the shard's file.
type Place = (usize, Range<u64>);

/// Joins the files `results.jsonl` in the folders `shards` into one `results.jsonl` in the folder of `settings`. The
/// folders must be in the order of the shards. `work` is the work of the whole run. Every shard must be complete, and
/// must have run with the same settings, apart from [`Settings::shard`] and [`Settings::out`].
///
/// After this, a [`crate::running::run::Run`] with [`Settings::recorded`] can count the results.
///
/// # Errors
/// Fails if a file cannot be read or written, if a line is not a result, and if a shard has rows of cases that are not
/// its own.
pub fn merge(settings: &Settings, work: &[Work], shards: &[PathBuf]) -> Result<(), RunError> {
    let count = shards.len() as u64;
    let open = |(number, folder): (u64, &PathBuf)| {
        let own = by_value(shard(work.to_vec(), (number, count)));
        Ok((own, Earlier::from_file(&folder.join("results.jsonl"))?))
    };
    let mut earlier = (1..).zip(shards).map(open).collect::<Result<Vec<_>, RunError>>()?;
    let path = settings.out.join("results.jsonl");
    let io = |path: &Path| {
        let path = path.to_owned();
        move |source| RunError::Io { path, source }
    };
    std::fs::create_dir_all(&settings.out).map_err(io(&settings.out))?;
    let mut files = Vec::new();
    for folder in shards {
        let path = folder.join("results.jsonl");
        files.push((BufReader::new(File::open(&path).map_err(io(&path))?), path));
    }
    let mut merged = BufWriter::new(File::create(&path).map_err(io(&path))?);
    let all = by_value(shard(work.to_vec(), (1, 1)));
    let mut round = Some(Round::First);
    while let Some(now) = round {
        let mut places: BTreeMap<String, Place> = BTreeMap::new();
        for (at, (own, earlier)) in earlier.iter_mut().enumerate() {
            let spans = earlier.spans(own, |piece| now.cases(settings.count_of(piece)))?;
            let mut start = earlier.start_of_round();
            for (piece, span) in own.iter().zip(spans) {
                places.insert(piece.to_string(), (at, start..span.end));
                start = span.end;
            }
        }
        for (shard, rows) in all.iter().filter_map(|piece| places.get(&piece.to_string())) {
            let (file, path) = &mut files[*shard];
            let offset = rows.start as i64 - file.stream_position().map_err(io(path))? as i64;
            file.seek_relative(offset).map_err(io(path))?;
            std::io::copy(&mut file.take(rows.end - rows.start), &mut merged).map_err(io(&settings.out))?;
        }
        round = now.next(false);
    }
    earlier.iter().try_for_each(|(_, earlier)| earlier.finish())?;
    merged.flush().map_err(io(&path))
}
