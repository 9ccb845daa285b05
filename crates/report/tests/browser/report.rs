//! Writes a report to disk, and reads in a browser what the matrix on its page shows.
#![allow(clippy::unwrap_used, reason = "tests")]

use libtest_mimic::Failed;
use serde_json::json;

use super::{Tab, address};

/// A report on disk.
pub struct Report {
    folder: tempfile::TempDir,
}

impl Report {
    /// Lets `write` write a report into a folder.
    pub fn new<T>(write: fn(&std::path::Path) -> T) -> Report {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path());
        Report { folder }
    }

    /// Returns the address of the report's page, followed by a fragment.
    pub fn at(&self, fragment: &str) -> String {
        self.file("index.html", fragment)
    }

    /// Returns the address of a file of the report, followed by a fragment.
    pub fn file(&self, name: &str, fragment: &str) -> String {
        address(&self.folder.path().join(name), fragment)
    }
}

/// Returns the texts as owned strings, to compare them with what was read from a page.
pub fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// Returns the visible rows of the matrix as text: the operator, the number of bad results, the worst distance, and the
/// type and text of each visible cell that has text. Each number and cell is followed by the CSS class of its color.
pub fn rows(tab: &mut Tab) -> Result<Vec<String>, Failed> {
    let read = "(() => {
        const types = JSON.parse(document.getElementById('data').textContent).types;
        const said = (cell) => `${cell.textContent.trim()} ${cell.className.split(' ')[0]}`.trim();
        return [...document.querySelectorAll('#m tr[data-o]')].filter((row) => row.checkVisibility()).map((row) => {
            const [, bad, ulp, ...cells] = row.cells;
            const heat = ulp.className.split(' ')[1];
            const filled = cells.map((cell, type) => cell.textContent.trim() && cell.checkVisibility() ? `${types[type]} ${said(cell)}` : '');
            return [row.dataset.o, `${bad.textContent} ${bad.className.slice(2)}`.trim(), `${ulp.textContent} ${heat}`.trim(),
                ...filled.filter(Boolean)].join(' | ');
        });
    })()";
    Ok(serde_json::from_value(tab.value(read)?)?)
}

/// Returns the operators that the visible rows name, in the order of the rows.
pub fn names(tab: &mut Tab) -> Result<Vec<String>, Failed> {
    Ok(tab.shown("#m tr[data-o] > .n")?)
}

/// Chooses an entry of a list, as a reader does.
pub fn choose(tab: &mut Tab, list: &str, entry: &str) -> Result<(), Failed> {
    let (list, entry) = (json!(list), json!(entry));
    tab.value(&format!(
        "{{ const list = document.querySelector({list}); list.value = {entry};
            for (const name of ['input', 'change']) list.dispatchEvent(new Event(name, {{ bubbles: true }})); }}"
    ))?;
    Ok(tab.settle()?)
}

/// Returns the visible rows of the matrix and the heads of its families: the text, the classes and the strip of each
/// cell. The strip is the background image that the browser draws, whether a class or the script set it.
pub fn matrix(tab: &mut Tab) -> Result<Vec<String>, Failed> {
    let read = "(() => {
        const strip = (cell) => cell.textContent.trim() && getComputedStyle(cell).backgroundImage;
        const said = (cell) => `${cell.textContent.trim()}/${cell.className.replace(/ ?\\bk\\d+$/, '').trim()}/${strip(cell)}`;
        return [...document.querySelectorAll('#m > tbody > tr')].filter((row) => row.checkVisibility())
            .map((row) => [...row.cells].map(said).join(' '));
    })()";
    Ok(serde_json::from_value(tab.value(read)?)?)
}
