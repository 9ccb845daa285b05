//! The trend of a backend as a chart. This module computes where the points are, and the template draws the chart.

use serde::Serialize;

use super::model::Share;
use crate::Counts;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 44.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 36.0;
/// The largest number of labels below the chart.
const MAX_LABELS: usize = 10;

/// A kind of line: its class, its name, the x coordinate of the name, and the share that it shows.
type LineKind = (&'static str, &'static str, f64, fn(&Counts) -> Share);

/// A chart with two lines over the same labels.
#[derive(Serialize)]
pub(super) struct Chart {
    /// The id of the chart on its page.
    pub id: String,
    pub title: String,
    pub description: String,
    pub width: f64,
    pub height: f64,
    pub left: f64,
    pub right: f64,
    pub bottom: f64,
    /// Horizontal lines: the y coordinate and the label.
    pub grid: Vec<(f64, String)>,
    /// The labels below the chart: the x coordinate and the text.
    pub labels: Vec<(f64, String)>,
    pub lines: Vec<Line>,
}

/// A line of a chart.
#[derive(Serialize)]
pub(super) struct Line {
    pub class: &'static str,
    pub name: &'static str,
    pub path: String,
    pub points: Vec<(f64, f64)>,
    /// The x coordinate of the name.
    pub key: f64,
}

/// Returns the chart of points, each with its label, or `None` for fewer than two points.
pub(super) fn chart(id: String, title: String, points: &[(String, Counts)]) -> Option<Chart> {
    let (Some(first), Some(last), 2..) = (points.first(), points.last(), points.len()) else { return None };
    let shares: [LineKind; 2] = [
        ("right", "right, of the judged cases", LEFT, Share::right),
        ("reach", "judged, of the tried cases", LEFT + 220.0, Share::supported),
    ];
    let values = points.iter().flat_map(|(_, counts)| shares.map(|(.., share)| share(counts).permille()));
    let floor = values.flatten().min().unwrap_or(0).saturating_sub(1) / 100 * 100;
    let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
    let step = (right - LEFT) / (points.len() - 1) as f64;
    let place = |at: usize| round(LEFT + 8.0 + at as f64 * (step * (1.0 - 16.0 / (right - LEFT))));
    let height = |permille: u64| round(bottom - (permille - floor) as f64 / (1000 - floor) as f64 * (bottom - TOP));
    let lines: Vec<Line> = shares
        .into_iter()
        .map(|(class, name, key, share)| {
            let known = points.iter().enumerate().filter_map(|(at, (_, counts))| Some((at, share(counts).permille()?)));
            let points: Vec<(f64, f64)> = known.map(|(at, permille)| (place(at), height(permille))).collect();
            let corners: Vec<String> = points.iter().map(|(x, y)| format!("{x} {y}")).collect();
            Line { class, name, path: format!("M{}", corners.join(" L")), points, key }
        })
        .collect();
    let every = points.len().div_ceil(MAX_LABELS);
    let marks = (floor..=1000).step_by(if floor < 500 { 200 } else { 100 });
    let text = |(label, counts): &(String, Counts)| {
        format!("{label}: {} right, {} judged", Share::right(counts).text(), Share::supported(counts).text())
    };
    Some(Chart {
        id,
        title,
        description: format!("Starts at {}. Ends at {}. The table below has all numbers.", text(first), text(last)),
        width: WIDTH,
        height: HEIGHT,
        left: LEFT,
        right,
        bottom,
        grid: marks.map(|permille| (height(permille), format!("{} %", permille / 10))).collect(),
        labels: points.iter().enumerate().step_by(every).map(|(at, (label, _))| (place(at), label.clone())).collect(),
        lines,
    })
}

/// Rounds to tenths of a pixel.
fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(label: &str, pass: u64, fail: u64, unsupported: u64) -> (String, Counts) {
        (label.to_owned(), Counts { pass, fail, unsupported, ..Counts::default() })
    }

    #[test]
    fn one_point_is_no_trend() {
        assert!(chart(String::new(), String::new(), &[]).is_none());
        assert!(chart(String::new(), String::new(), &[point("1", 1, 0, 0)]).is_none());
    }

    #[test]
    fn higher_shares_are_higher_up() {
        let points = [point("1", 50, 50, 100), point("2", 90, 10, 0), point("3", 0, 0, 10)];
        let chart = chart("x".to_owned(), "t".to_owned(), &points).unwrap();
        let right = &chart.lines[0].points;
        assert_eq!(right.len(), 2, "the third point has no judged case");
        assert!(right[0].1 > right[1].1, "y grows downwards");
        assert!(
            chart
                .lines
                .iter()
                .flat_map(|line| &line.points)
                .all(|(x, y)| { (LEFT..=WIDTH - RIGHT).contains(x) && (TOP..=HEIGHT - BOTTOM).contains(y) })
        );
        assert!(chart.description.contains("Starts at 1: 50.0 % right, 50.0 % judged"), "{}", chart.description);
    }
}
