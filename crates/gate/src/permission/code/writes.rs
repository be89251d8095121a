//! Decides whether code in another language on the command line may write files, by searching its
//! text.

use verger_shell::Command;

use super::Code;

/// Parts of the names of calls that create, change or remove files.
const CALLS: &[&str] = &[
    "write",
    "dump(",
    "unlink",
    "rmtree",
    "remove(",
    "rename",
    "replace(",
    "shutil",
    "truncate",
    "symlink",
    "chmod",
    "rmsync",
    "rm(",
    "copy(",
    "copy2(",
    "copytree",
    "copyfile",
    "copysync",
    "cpsync",
    "cp(",
    "move",
    "link(",
    "link_to",
    "linksync",
    "touch",
    "save",
    "urlretrieve",
    "download",
    "extract",
    "os.open(",
    "o_wronly",
    "o_rdwr",
    "o_creat",
    "appendfile",
    "put_contents",
    "delete",
    "fileutils",
    "outfile",
    "inplace",
    "set-content",
    "system",
    "exec",
    "spawn",
    "popen",
    "subprocess",
];

/// Whether the text is a file mode that allows writing: `w`, `rb+`, `w+b`.
fn is_mode(text: &str) -> bool {
    (1..=4).contains(&text.len())
        && text.bytes().all(|byte| b"rwaxbts+".contains(&byte))
        && text.contains(['w', 'a', 'x', '+'])
}

/// The texts in the command's code that may be paths of written files. Empty if the code only
/// reads. The result contains every string and every word that may be a path, because it isn't
/// always clear where a string starts.
pub(in crate::permission) fn written_texts(command: &Command) -> Vec<String> {
    let Some(code) = Code::of(command).filter(Code::writes) else { return Vec::new() };
    let is_path = |word: &&str| word.contains(['.', '/', '~', '$']);
    let words = code.texts.split(|c: char| !c.is_alphanumeric() && !"_./~${}*?-".contains(c));
    code.strings().into_iter().chain(words.filter(is_path)).map(str::to_owned).collect()
}

/// Whether the code in the command's arguments may write files. `None` if there is no code.
pub(in crate::permission) fn writes_files(command: &Command) -> Option<bool> {
    let takes_mode = command.argv.iter().skip(1).any(|word| is_mode(word.text()));
    Some(takes_mode || Code::of(command)?.writes())
}

impl Code<'_> {
    fn writes(&self) -> bool {
        let calls = self.calls.to_ascii_lowercase();
        let calls = calls.replace("stdout.write", "").replace("stderr.write", "");
        // The calls `deepcopy` and `.copy` copy values, not files.
        let calls = calls.replace("deepcopy(", "").replace(".copy()", "");
        let opens = self.all.match_indices(['\'', '"', '`']).any(|(at, quote)| {
            self.all[at + 1..].split_once(quote).is_some_and(|(text, _)| is_mode(text))
        });
        let redirects = ["\">", "'>", "\"+<", "'+<"].iter().any(|mark| self.all.contains(mark));
        self.evaluates || CALLS.iter().any(|call| calls.contains(call)) || opens || redirects
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_is_told_from_writing() {
        for (line, expected) in [
            ("python3 -c \"print(open('f.json').read())\"", Some(false)),
            ("python3 -c \"import sys; sys.stdout.write(open('f.json').read())\"", Some(false)),
            ("python3 -c \"print('to write a file')\"", Some(false)),
            ("python3 -c \"open('a', 'w').close()\"", Some(true)),
            ("python3 -c \"Path('a').write_text('b')\"", Some(true)),
            ("python3 -c \"import os; os.remove('a')\"", Some(true)),
            ("python3 -c \"exec(x)\"", Some(true)),
            ("node -e \"console.log(require('./a.json'))\"", Some(false)),
            ("node -e \"require('fs').writeFileSync('a', 'b')\"", Some(true)),
            ("perl -e 'open F, \">a\"'", Some(true)),
            ("python3 -c \"open('a', 'wb+')\"", Some(true)),
            ("python3 -c \"io.open('a', 'w+b')\"", Some(true)),
            ("python3 -c \"open('f.bin', 'rb')\"", Some(false)),
            ("python3 -c \"import sys; open(sys.argv[2], sys.argv[1])\" w f.json", Some(true)),
            ("python3 -c \"import os; os.open('a', os.O_WRONLY|os.O_TRUNC)\"", Some(true)),
            (
                "python3 -c \"import copy; print(copy.deepcopy(open('f.json').read()))\"",
                Some(false),
            ),
            ("python3 a.py", None),
        ] {
            let script = verger_shell::read(line);
            assert_eq!(writes_files(&script.commands[0]), expected, "{line}");
        }
    }
}
