//! Colours for a terminal, and none for anything else.

use std::io::IsTerminal;

/// What a piece of text is, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Came, or right.
    Green,
    /// Went, or wrong.
    Red,
    /// Changed, or open.
    Yellow,
    /// A heading.
    Bold,
    /// Beside the point.
    Dim,
}

/// Paints text when stdout is a terminal that wants colours.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    on: bool,
}

impl Paint {
    /// On for a terminal, unless `NO_COLOR` is set or the terminal is a dumb one.
    pub fn stdout() -> Paint {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let able = std::env::var_os("TERM").is_none_or(|value| value != "dumb");
        Paint { on: wanted && able && std::io::stdout().is_terminal() }
    }

    /// The text in this colour.
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
