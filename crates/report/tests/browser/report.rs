//! The small report in a browser: its page, and what its matrix shows.
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

    /// Returns the address of the page with a fragment.
    pub fn at(&self, fragment: &str) -> String {
        self.file("index.html", fragment)
    }

    /// Returns the address of a file of the report with a fragment.
    pub fn file(&self, name: &str, fragment: &str) -> String {
        address(&self.folder.path().join(name), fragment)
    }
}

/// Returns the texts as owned strings, to compare them with what was read from a page.
pub fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// Returns the rows of the matrix that are visible: the operator, the number of bad results and the worst distance with
/// their classes, and each visible cell with text: its type, text and class.
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

/// Returns the names of the operators of the rows that are visible, in their order.
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

/// Returns the visible rows of the matrix, with the heads of its families, and what each of their cells shows. The
/// strip of a cell counts as it is drawn, whether a class or the script set it.
pub fn matrix(tab: &mut Tab) -> Result<Vec<String>, Failed> {
    let read = "(() => {
        const strip = (cell) => cell.textContent.trim() && getComputedStyle(cell).backgroundImage;
        const said = (cell) => `${cell.textContent.trim()}/${cell.className.replace(/ ?\\bk\\d+$/, '').trim()}/${strip(cell)}`;
        return [...document.querySelectorAll('#m > tbody > tr')].filter((row) => row.checkVisibility())
            .map((row) => [...row.cells].map(said).join(' '));
    })()";
    Ok(serde_json::from_value(tab.value(read)?)?)
}
