//! A screen of its own on the terminal, which is drawn again and again.

use std::io::{self, Write};

use verger_event::tamed;

use super::{Tone, Ui, count};

impl Ui {
    /// Begins a screen of its own, which [`Ui::end_screen`] takes away again.
    pub(crate) fn begin_screen(&mut self) -> io::Result<()> {
        self.script("\x1b[?1049h\x1b[?25l")
    }

    /// Replaces the screen's lines, as many as fit. Each line is overwritten, so nothing flickers.
    pub(crate) fn screen(&mut self, lines: &[Vec<(Tone, String)>]) -> io::Result<()> {
        let size = rustix::termios::tcgetwinsize(io::stdout())?;
        let (rows, columns) = (usize::from(size.ws_row).max(1), usize::from(size.ws_col).max(1));
        let hidden = lines.len().saturating_sub(rows);
        let shown = if hidden == 0 { lines.len() } else { rows - 1 };
        self.script("\x1b[H")?;
        for (number, line) in lines.iter().take(shown).enumerate() {
            self.script(if number == 0 { "" } else { "\r\n" })?;
            let mut room = columns;
            for (tone, text) in line {
                let text: String = tamed(text).chars().take(room).collect();
                room -= text.chars().count();
                self.toned(*tone, &text)?;
            }
            self.script("\x1b[K")?;
        }
        if hidden > 0 {
            self.script(&format!("\r\n({})\x1b[K", count(lines.len() - shown, "more line")))?;
        }
        self.script("\x1b[J")?;
        self.out.flush()
    }

    pub(crate) fn end_screen(&mut self) -> io::Result<()> {
        self.script("\x1b[?25h\x1b[?1049l")?;
        self.out.flush()
    }
}
