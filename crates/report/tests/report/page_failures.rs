//! Tests what the pages of a small report say about its failures: their causes, rules, evidence, counts and distances.

use std::path::Path;
use std::sync::OnceLock;

use plumbline_report::{Aggregator, Repros, RunMeta, html};
use plumbline_spec::Spec;

use crate::synthetic::small;

/// Returns the page of the small report that lies at `path` below the report's folder.
fn page(path: &str) -> String {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        small::write(folder.path());
        folder
    });
    std::fs::read_to_string(folder.path().join(Path::new(path))).unwrap()
}

/// Returns the text between the first `start` and the `end` after it.
fn between<'a>(page: &'a str, start: &str, end: &str) -> &'a str {
    let rest = page.split_once(start).unwrap_or_else(|| panic!("{start} is not on the page")).1;
    rest.split_once(end).unwrap_or_else(|| panic!("{end} does not follow {start}")).0
}

/// Returns the text from each `tag` to the next one, without tags and with single spaces.
fn items(html: &str, tag: &str) -> Vec<String> {
    let text = |item: &str| {
        let pieces = item.split('<').map(|piece| piece.split_once('>').map_or(piece, |(_, text)| text));
        pieces.collect::<Vec<_>>().join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
    };
    html.split(tag).skip(1).map(|item| text(&format!("<{item}"))).collect()
}

#[test]
fn a_cause_shows_its_blame_or_else_a_detail_if_there_is_one() {
    let index = page("index.html");
    let causes = between(&index, "<ul class=\"causes\">", "</ul>");
    let mut whys: Vec<&str> =
        causes.split("<p class=\"why\">").skip(1).map(|rest| rest.split_once("</p>").unwrap().0).collect();
    whys.sort_unstable();
    assert_eq!(
        whys,
        [
            "",
            "",
            "<span class=\"blame\">backend</span> It rounds &lt;i&gt;twice&lt;/i&gt;.",
            "<span class=\"said\">output of Max [0] differs</span>",
            "<span class=\"said\">output of Min [0] differs</span>",
            "<span class=\"said\">output of Scaler [0] differs</span>",
        ]
    );
}

#[test]
fn the_name_of_a_cause_does_not_depend_on_its_number_of_results() {
    let key = |count: usize| {
        let mut aggregator = Aggregator::new();
        let failures =
            small::results().into_iter().filter(|result| result.op == "Scaler" && result.max_ulp == Some(70_000.0));
        failures.take(count).for_each(|result| aggregator.add(result).unwrap());
        let page = html(&aggregator.finish(RunMeta::default()), Spec::embedded(), &Repros::default()).unwrap();
        assert_eq!(page.matches("<li class=\"cause ").count(), 1);
        let amount = if count == 1 { "1 result".to_owned() } else { format!("{count} results") };
        assert_eq!(between(&page, "class=\"amount\" href=\"#cause=", "</a>").split_once("\">").unwrap().1, amount);
        between(&page, "id=\"cause-", "\"").to_owned()
    };
    assert_eq!(key(1), key(3));
}

#[test]
fn a_failure_shows_its_reason_rule_and_wrong_elements_in_its_section() {
    let index = page("index.html");
    let section = between(&index, "<details class=\"op\" id=\"Min\"", "<details class=\"op\" id=");
    let shown = |signature: &str| {
        let article = section.split("<article ").find(|article| article.contains(signature)).unwrap();
        article.split_once("</article>").unwrap().0.to_owned()
    };
    let (value, shape) = (shown("aaaa0001"), shown("aaaa0002"));
    let nan = rule("nan");
    assert!(value.contains(&format!("<p class=\"rule\"><b>nan</b> {nan}</p>")), "{value}");
    assert!(value.contains("<pre class=\"wrong\">y[0] is 1.0\ny[1] is 3.0</pre>"), "{value}");
    assert!(value.contains("<pre>a model</pre>") && value.contains("<pre>x: float[1] [1.0]\ny: float[1] [2.0]</pre>"));
    assert!(!value.contains("class=\"why\""), "a reason is shown for a failure that has none: {value}");
    let broadcast = rule("shapes-broadcast");
    assert!(shape.contains(&format!("<p class=\"rule\"><b>shapes-broadcast</b> {broadcast}</p>")), "{shape}");
    let why = "<p class=\"why\"><span class=\"blame\">backend</span> It rounds &lt;i&gt;twice&lt;/i&gt;.</p>";
    assert!(shape.contains(why), "{shape}");
}

/// Returns the text of a rule of Min as the page has it: pieces between backticks are code.
fn rule(label: &str) -> String {
    let rules = Spec::embedded().operator("", "Min").unwrap().rules.clone().unwrap();
    let behaviours = rules.behaviours.into_iter().map(|rule| (rule.label, rule.text));
    let mut all = rules.constraints.into_iter().map(|rule| (rule.label, rule.text)).chain(behaviours);
    let (_, text) = all.find(|(name, _)| name == label).unwrap();
    let text = text.trim().replace('<', "&lt;").replace('\'', "&#39;");
    let pieces = text.split('`').enumerate();
    pieces.map(|(place, text)| if place % 2 == 1 { format!("<code>{text}</code>") } else { text.to_owned() }).collect()
}

#[test]
fn the_page_of_a_failure_has_all_that_its_folder_records() {
    let page = page("repro/Min-wrong-value-aaaa0001/index.html");
    let section =
        |id: &str| between(&page, &format!("<h2 id=\"{id}\">"), "</pre>").split_once("tabindex=\"0\">").unwrap().1;
    assert_eq!(section("wrong"), "y[0] is 1.0\ny[1] is 3.0");
    assert_eq!(section("model"), "a model");
    assert_eq!(section("inputs"), "x: float[1] [1.0]\ny: float[1] [2.0]");
    assert_eq!(section("answers"), "two answers");
    assert_eq!(section("script"), "print(1)");
    assert_eq!(between(&page, "<p class=\"rule\">", "</p>"), format!("<b>nan</b> {}", rule("nan")));
    assert_eq!(between(&page, "<p class=\"headline\">", "</p>"), "rten 0.27.0: differs");
    let commands = between(&page, "<p class=\"commands\">", "</p>");
    assert_eq!(
        items(commands, "<code"),
        [
            "cargo xtask replay repro/Min-wrong-value-aaaa0001 --backend rten",
            "python3 repro/Min-wrong-value-aaaa0001/repro.py"
        ]
    );
    let files = between(&page, "<h2 id=\"files\">Files</h2>", "</ul>");
    assert_eq!(items(files, "<li"), ["answers.txt", "case.json", "model.txt", "repro.py"]);
}

#[test]
fn a_row_of_the_matrix_counts_the_results_of_each_type() {
    let index = page("index.html");
    let head = between(&index, "<th scope=\"col\" class=\"w\">ulp", "</thead>");
    let types: Vec<&str> = head.split("title=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    let row = |operator: &str| {
        let row = between(&index, &format!("<tr data-o=\"{operator}\""), "<tr");
        let mut cells = row.split("<td").skip(1).map(|cell| items(&format!("<td{cell}"), "<td").concat());
        let sums = [cells.next().unwrap(), cells.next().unwrap()];
        let cells = types.iter().zip(cells).filter(|(_, text)| !text.is_empty() && text != "○");
        let cells: Vec<String> = cells.map(|(dtype, text)| format!("{dtype} {text}")).collect();
        format!("{} bad, {} ulp: {}", sums[0], sums[1], cells.join(", "))
    };
    assert_eq!(row("Max"), "2 bad, 7e4 ulp: float ✓, int32 ≈2, int8 ✗2");
    assert_eq!(row("Min"), "3 bad, 4 ulp: double ✗1, float †2, float16 ✓");
    assert_eq!(row("Relu"), " bad, 1 ulp: double ✓, float ◐");
    assert_eq!(row("ai.onnx.ml.Scaler"), "4 bad, 7e4 ulp: double ✓, float ◷1, int64 ✗3");
}

#[test]
fn results_show_their_distance_and_the_width_of_the_interval() {
    let index = page("index.html");
    let section = between(&index, "<details class=\"op\" id=\"Min\"", "<details class=\"op\" id=");
    let rows = items(between(section, "<table class=\"results\">", "</table>"), "<tr");
    let expected = [
        "version types rten 0.27.0 onnxruntime 1.31.1",
        "13 T=double ○ ✗ 1",
        "T=float ✓ 2 ✗ 1 3 ulp, width 8 ✓ 3 1 ulp",
        "T=float16 ○ ✓ 1 4 ulp",
        "8 T=float † 1 ○",
        "T=float16 ✓ 1 0 ulp ○",
    ];
    assert_eq!(rows.iter().map(|row| row.replace('\u{a0}', " ")).collect::<Vec<_>>(), expected);
}

#[test]
fn the_new_improved_and_expected_results_of_each_backend_are_counted() {
    let index = page("index.html");
    let board = between(&index, "<table class=\"board\">", "</table>");
    let rows: Vec<Vec<String>> = board.split("<tr").skip(2).map(|row| items(row, "<td")).collect();
    let counts: Vec<&str> = rows.iter().map(|cells| cells[10].as_str()).collect();
    assert_eq!(counts, ["5 new 2 expected", "1 new, 1 improved 1 expected"]);
}

#[test]
fn each_type_shows_the_feature_level_from_which_directml_serves_it() {
    let index = page("index.html");
    let part = between(&index, "<section id=\"directml\"", "</section>");
    let head = items(between(part, "<tr><th scope=\"col\">operator", "</thead>"), "<th");
    let row = items(between(part, "<a href=\"#Min\">", "<tr>"), "<td");
    let levels: Vec<String> = head
        .iter()
        .zip(&row)
        .filter(|(_, level)| !level.is_empty())
        .map(|(dtype, level)| format!("{dtype} {level}"))
        .collect();
    assert_eq!(
        levels.join(", "),
        "float 1_0, float16 1_0, int64 5_0, int32 2_1, int16 2_1, int8 2_1, uint64 5_0, uint32 2_1, uint16 2_1, uint8 2_1"
    );
    let never = between(part, "operators that DirectML never serves", "</details>");
    assert!(never.contains("<a href=\"#StringNormalizer\">StringNormalizer</a>"), "{never}");

    // A level serves everything that earlier levels serve, and what it adds itself.
    let table = between(part, "<table class=\"reach\">", "</table>");
    let all: u64 = number(between(table, "served, of ", "<"));
    let rows: Vec<Vec<String>> = table.split("<tr>").skip(2).map(|row| items(row, "<td")).collect();
    let (never, levels) = rows.split_last().unwrap();
    let mut served = 0;
    for level in levels {
        served += number(&level[0]);
        assert_eq!(number(&level[1]), served, "{level:?}");
    }
    assert!(levels.len() > 5);
    assert_eq!(served + number(&never[0]), all);
}

fn number(text: &str) -> u64 {
    text.chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap()
}
