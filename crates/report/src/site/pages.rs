//! Renders the pages of a site. [`super::overview`], [`super::operator_pages`] and [`super::steps`] decide what the
//! pages show.

use minijinja::value::{Serde, Value};
use minijinja::{Environment, context};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::error::SiteError;
use crate::Counts;
use crate::html::{base64, environment, file};
use crate::text::grouped;

/// The templates of a site, besides those of reports.
const TEMPLATES: [&str; 8] = [
    "site.html",
    "site-overview.html",
    "site-backend.html",
    "site-chart.html",
    "site-operators.html",
    "site-operator.html",
    "site-step.html",
    "site-badge.svg",
];

/// Renders pages.
pub(super) struct Pages {
    environment: Environment<'static>,
    title: String,
    style: &'static str,
    style_hash: String,
}

impl Pages {
    /// Prepares the templates. `title` is the name of the site.
    pub fn new(title: &str) -> Result<Pages, SiteError> {
        let mut environment = environment()?;
        for name in TEMPLATES {
            environment.add_template(name, file(name))?;
        }
        let style = file("site.css").trim_end();
        Ok(Pages { environment, title: title.to_owned(), style, style_hash: base64(&Sha256::digest(style)) })
    }

    /// Renders a template without the frame of a page.
    pub fn part<T: Serialize>(&self, template: &str, data: &T) -> Result<String, SiteError> {
        Ok(self.environment.get_template(template)?.render(context! { d => Serde(data) })?)
    }

    /// Renders a page. `depth` is the number of folders between the page and the root of the site.
    pub fn page<T: Serialize>(
        &self,
        template: &str,
        depth: usize,
        heading: &str,
        data: &T,
    ) -> Result<String, SiteError> {
        let root = "../".repeat(depth);
        let body = self.environment.get_template(template)?;
        let body = body.render(
            context! { d => Serde(data), root => root.as_str(), heading => heading, site => self.title.as_str() },
        )?;
        let title = if heading == self.title { heading.to_owned() } else { format!("{heading} – {}", self.title) };
        Ok(self.environment.get_template("site.html")?.render(context! {
            title => title,
            site => self.title.as_str(),
            root => root.as_str(),
            style => Value::from_safe_string(self.style.to_owned()),
            style_hash => self.style_hash.as_str(),
            body => Value::from_safe_string(body),
        })?)
    }
}

/// Returns markup that a template has rendered already.
pub(super) fn rendered(markup: String) -> Markup {
    Markup(markup)
}

/// Markup that a template inserts as it is, with the filter `safe`.
#[derive(Serialize)]
#[serde(transparent)]
pub(super) struct Markup(String);

/// The numbers of results with each verdict, formatted as a page shows them.
#[derive(Serialize)]
pub(super) struct Numbers {
    pub results: String,
    pub pass: String,
    pub latitude: String,
    pub bad: String,
    pub unsupported: String,
    pub not_run: String,
    pub right: String,
    pub supported: String,
    /// The parts of a bar of width 100: class, start and width.
    pub bar: Vec<(&'static str, f64, f64)>,
}

impl Numbers {
    pub fn new(counts: &Counts) -> Numbers {
        let all = counts.all().max(1) as f64;
        let parts = [("pp", counts.pass), ("ll", counts.latitude), ("ff", counts.bad()), ("uu", counts.unsupported)];
        let mut start = 0.0;
        let mut bar = Vec::new();
        for (class, count) in parts {
            let width = (count as f64 / all * 1000.0).round() / 10.0;
            if width > 0.0 {
                bar.push((class, (start * 10.0f64).round() / 10.0, width));
            }
            start += width;
        }
        Numbers {
            results: grouped(counts.all()),
            pass: grouped(counts.pass),
            latitude: grouped(counts.latitude),
            bad: grouped(counts.bad()),
            unsupported: grouped(counts.unsupported),
            not_run: grouped(counts.not_run),
            right: super::model::Share::right(counts).text(),
            supported: super::model::Share::supported(counts).text(),
            bar,
        }
    }
}

/// The mark of results in a table: a class for the colour, and text for readers who do not see the colour. The text is
/// a sign and a number, or the sign alone if no case ran.
#[derive(Serialize)]
pub(super) struct Mark {
    pub class: &'static str,
    pub text: String,
    /// The counts in words.
    pub words: String,
}

impl Mark {
    pub fn new(counts: &Counts) -> Mark {
        let all = counts.all();
        let share = |sign: &str, count: u64| match count == all {
            true => format!("{sign}{count}"),
            false => format!("{sign}{count}/{all}"),
        };
        let (class, text) = match counts {
            _ if counts.bad() > 0 => ("f", share("✗", counts.bad())),
            _ if counts.latitude > 0 => ("l", share("≈", counts.latitude)),
            _ if counts.pass > 0 && counts.pass == all => ("p", share("✓", counts.pass)),
            _ if counts.pass > 0 => ("h", share("◐", counts.pass)),
            _ if counts.unsupported > 0 => ("u", share("∅", counts.unsupported)),
            _ => ("o", "○".to_owned()),
        };
        let words = crate::VERDICTS.into_iter().filter(|&verdict| counts.count(verdict) > 0);
        let words: Vec<String> = words.map(|verdict| format!("{} {verdict}", counts.count(verdict))).collect();
        Mark { class, text, words: words.join(", ") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_shows_failures_before_latitude_and_a_check_mark_only_if_all_pass() {
        let none = Counts::default();
        for (counts, class, text, words) in [
            (Counts { pass: 4, ..none }, "p", "✓4", "4 pass"),
            (Counts { pass: 3, unsupported: 1, ..none }, "h", "◐3/4", "3 pass, 1 unsupported"),
            (Counts { pass: 3, not_run: 1, ..none }, "h", "◐3/4", "3 pass, 1 not-run"),
            (Counts { pass: 2, latitude: 1, ..none }, "l", "≈1/3", "2 pass, 1 latitude"),
            (
                Counts { pass: 2, latitude: 1, fail: 1, crash: 1, ..none },
                "f",
                "✗2/5",
                "2 pass, 1 fail, 1 crash, 1 latitude",
            ),
            (Counts { unsupported: 2, ..none }, "u", "∅2", "2 unsupported"),
            (Counts { not_run: 2, ..none }, "o", "○", "2 not-run"),
        ] {
            let mark = Mark::new(&counts);
            assert_eq!((mark.class, mark.text.as_str(), mark.words.as_str()), (class, text, words));
        }
    }
}
