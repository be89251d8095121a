//! Draws a terminal window as SVG. It uses only text and shapes, so that all pages and editors can
//! show it.

use super::terminal_text::{Span, Style};

/// The window that is drawn around the text.
pub(crate) struct Window {
    /// The title of the picture, for people who can't see it.
    pub(crate) title: &'static str,
    /// The command that the first line shows after the prompt.
    pub(crate) command: &'static str,
    pub(crate) columns: u16,
}

/// The sizes of a character. All sizes are in tenths of a pixel, so that all coordinates are
/// integers.
const COLUMN: usize = 84;
const LINE: usize = 190;
const FONT_SIZE: usize = 140;
const MARGIN: usize = 160;
const TITLE_BAR: usize = 320;
/// The distance from the top of a line to its base line.
const ASCENT: usize = 140;

pub(crate) fn drawn(window: &Window, lines: &[Vec<Span>]) -> String {
    let prompt = [
        Span { column: 0, style: Style::Faint, text: "$".to_owned() },
        Span { column: 2, style: Style::Bold, text: window.command.to_owned() },
    ];
    let lines = [&prompt[..], &[]].into_iter().chain(lines.iter().map(Vec::as_slice));
    let lines: Vec<_> = lines.collect();
    let used = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    let width = usize::from(window.columns) * COLUMN + 2 * MARGIN;
    let height = TITLE_BAR + used * LINE + MARGIN;
    let mut svg = beginning(window.title, width, height);
    for (index, line) in lines[..used].iter().enumerate() {
        let y = TITLE_BAR + index * LINE + ASCENT;
        line.iter().for_each(|span| svg.push_str(&text(span, y)));
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

/// The SVG before the text: the window with its three buttons. The border is visible on light and
/// on dark pages.
fn beginning(title: &str, width: usize, height: usize) -> String {
    let title = escaped(title);
    // The border is one pixel wide.
    let [inner_width, inner_height] = [width, height].map(|size| pixels(size - 10));
    let [width, height, size] = [width, height, FONT_SIZE].map(pixels);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\">\n\
         <title>{title}</title>\n\
         <rect x=\"0.5\" y=\"0.5\" width=\"{inner_width}\" height=\"{inner_height}\" rx=\"8\" fill=\"#161b22\" stroke=\"#57606a\"/>\n\
         <g fill=\"#57606a\"><circle cx=\"18\" cy=\"16\" r=\"5\"/><circle cx=\"36\" cy=\"16\" r=\"5\"/>\
         <circle cx=\"54\" cy=\"16\" r=\"5\"/></g>\n\
         <g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" \
         font-size=\"{size}\">\n"
    )
}

/// A span as SVG text. It is stretched to its columns, because the width of the font is unknown.
fn text(span: &Span, y: usize) -> String {
    let x = pixels(MARGIN + span.column * COLUMN);
    let length = pixels(span.text.chars().count() * COLUMN);
    let (y, fill, text) = (pixels(y), fill(span.style), escaped(&span.text));
    let weight = if span.style == Style::Bold { " font-weight=\"bold\"" } else { "" };
    format!(
        "<text x=\"{x}\" y=\"{y}\" fill=\"{fill}\"{weight} textLength=\"{length}\" xml:space=\"preserve\">{text}</text>\n"
    )
}

fn fill(style: Style) -> &'static str {
    match style {
        Style::Plain => "#d0d7de",
        Style::Bold => "#ffffff",
        Style::Faint => "#8b949e",
        Style::Red => "#ff7b72",
        Style::Green => "#7ee787",
    }
}

/// Converts tenths of a pixel to pixels.
fn pixels(tenths: usize) -> String {
    match (tenths / 10, tenths % 10) {
        (whole, 0) => whole.to_string(),
        (whole, tenth) => format!("{whole}.{tenth}"),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_span_stands_in_its_columns_and_is_escaped() {
        let span = Span { column: 3, style: Style::Red, text: "a && b <c>".to_owned() };
        let window = Window { title: "A & B", command: "ls", columns: 20 };
        let svg = drawn(&window, &[vec![span], vec![]]);
        let shown = "<text x=\"41.2\" y=\"84\" fill=\"#ff7b72\" textLength=\"84\" \
                     xml:space=\"preserve\">a &amp;&amp; b &lt;c&gt;</text>\n</g>\n</svg>\n";
        assert!(svg.ends_with(shown), "{svg}");
        assert!(svg.starts_with("<svg ") && svg.contains("<title>A &amp; B</title>"), "{svg}");
        assert!(svg.contains("viewBox=\"0 0 200 105\""), "{svg}");
    }
}
