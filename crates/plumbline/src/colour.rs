//! Colours for a terminal; other outputs get plain text.

use std::io::IsTerminal;

/// The meaning of a piece of text, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Added, or correct.
    Green,
    /// Removed, or wrong.
    Red,
    /// Changed, undecided, or not checked.
    Yellow,
    /// A heading.
    Bold,
    /// Secondary information.
    Dim,
}

/// Colours text if stdout is a terminal that supports colours.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    on: bool,
}

impl Paint {
    /// Returns the paint for stdout. It is on for a terminal, unless `NO_COLOR` is set and not empty, or
    /// `TERM` is `dumb`.
    pub fn stdout() -> Paint {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let able = std::env::var_os("TERM").is_none_or(|value| value != "dumb");
        Paint { on: wanted && able && std::io::stdout().is_terminal() }
    }

    /// Returns the paint that leaves every text as it is.
    pub fn plain() -> Paint {
        Paint { on: false }
    }

    /// Returns the text in this colour.
    pub fn paint(self, colour: Colour, text: &str) -> String {
        if !self.on {
            return text.to_owned();
        }
        let code = match colour {
            Colour::Green => 32,
            Colour::Red => 31,
            Colour::Yellow => 33,
            Colour::Bold => 1,
            Colour::Dim => 2,
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}

/// Paints the lines of a comparison: added lines green, removed lines red, and changed lines yellow.
pub fn paint_changes(text: &str) -> String {
    let paint = Paint::stdout();
    let painted = |line: &str| {
        let colour = match line.trim_start().chars().next() {
            Some('+') => Colour::Green,
            Some('-') => Colour::Red,
            Some('~') => Colour::Yellow,
            _ if line.starts_with(' ') => Colour::Dim,
            _ => Colour::Bold,
        };
        paint.paint(colour, line) + "\n"
    };
    text.lines().map(painted).collect()
}
