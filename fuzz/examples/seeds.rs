//! Writes `fuzz/corpus/TARGET`: the inputs from which a search starts.

use std::fs;
use std::path::Path;

fn main() -> std::io::Result<()> {
    for (target, _) in plumbline_fuzz::TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
        fs::create_dir_all(&folder)?;
        for (number, seed) in plumbline_fuzz::seeds(target).iter().enumerate() {
            fs::write(folder.join(format!("seed-{number}")), seed)?;
        }
        println!("wrote {}", folder.display());
    }
    Ok(())
}
