//! Full-width ASCII and half-width katakana in their usual width.

/// The katakana from U+FF66 on, in the order of their code points.
const KATAKANA: &str = "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン";
const FIRST: char = '\u{ff66}';

/// Returns the text with full-width ASCII and half-width katakana in their usual width.
///
/// ```
/// assert_eq!(verger_text::in_usual_width("ＬＯＧＩＮ ﾛｸﾞｲﾝ"), "LOGIN ログイン");
/// ```
pub fn in_usual_width(text: &str) -> String {
    let mut usual = String::with_capacity(text.len());
    for c in text.chars() {
        let last = usual.chars().next_back();
        if let Some(marked) = last.and_then(|last| marked(last, c)) {
            usual.pop();
            usual.push(marked);
        } else {
            usual.push(usual_of(c));
        }
    }
    usual
}

fn usual_of(c: char) -> char {
    match c {
        '\u{3000}' => ' ',
        '！'..='～' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        FIRST..='\u{ff9d}' => {
            let at = u32::from(c) - u32::from(FIRST);
            KATAKANA.chars().nth(at as usize).unwrap_or(c)
        }
        _ => c,
    }
}

/// Combines a kana with its voicing mark. In half width, the mark is a separate character: カ and ﾞ
/// become ガ.
fn marked(kana: char, mark: char) -> Option<char> {
    let further = |by: u32| char::from_u32(u32::from(kana) + by);
    match (mark, kana) {
        ('ﾞ', 'ウ') => Some('ヴ'),
        ('ﾞ', 'カ'..='ト' | 'ハ'..='ホ') => further(1),
        ('ﾟ', 'ハ'..='ホ') => further(2),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_their_usual_width() {
        for (text, expected) in [
            ("ＬＯＧＩＮ　ｓｒｃ／ａ．ｒｓ", "LOGIN src/a.rs"),
            ("ﾛｸﾞｲﾝ", "ログイン"),
            ("ﾀﾞｰｸﾓｰﾄﾞ", "ダークモード"),
            ("ﾊﾟｽﾜｰﾄﾞ ｳﾞｧｲｵﾘﾝ", "パスワード ヴァイオリン"),
            ("ｱﾞ ﾝ ｦ", "ア\u{ff9e} ン ヲ"),
            ("login ログイン 不具合", "login ログイン 不具合"),
            ("", ""),
        ] {
            assert_eq!(in_usual_width(text), expected, "{text}");
        }
    }
}
