//! Finds passwords that programs take as options, arguments or directives: `sshpass -p …`, `mysql
//! -p…`, `requirepass …`.
//!
//! An option letter has another meaning in every program. So an option counts only in a command
//! that names a listed program.

use std::ops::Range;

use crate::finding::SecretKind;
use crate::header::{self, Form};
use crate::key_name::KeyClass;
use crate::link::{Link, Style, skip_blanks};
use crate::plausibility::is_argument;
use crate::randomness::{has_digit, is_word_like};
use crate::scan::Findings;
use crate::symbol::{is_word, word_end};
use crate::value::{Value, is_reference};

/// The maximum number of bytes between a program's name and its option.
const LONGEST_COMMAND: usize = 160;
/// The maximum number of bytes between a pipe and the name of the program after it.
const LONGEST_PIPE: usize = 160;
const LONGEST_LOGIN: usize = 80;
const SHORTEST_CREDENTIAL: usize = 8;

/// A program, and the word that must follow the program's name. The word may be empty.
type Command = (&'static [u8], &'static [u8]);

/// Programs that take a password as `-p value`.
const PASSWORD_AFTER_P: &[Command] = &[
    (b"sshpass", b""),
    (b"docker", b"login"),
    (b"podman", b"login"),
    (b"buildah", b"login"),
    (b"skopeo", b"login"),
    (b"nerdctl", b"login"),
    (b"helm", b"login"),
    (b"oras", b"login"),
    (b"az", b"login"),
    (b"oc", b"login"),
    (b"twine", b"upload"),
    (b"mongosh", b""),
    (b"mongodump", b""),
    (b"mongorestore", b""),
    (b"mongoexport", b""),
    (b"mongoimport", b""),
];
/// Programs that take a password as `-pvalue`.
const PASSWORD_ATTACHED_TO_P: &[Command] = &[
    (b"mysql", b""),
    (b"mysqldump", b""),
    (b"mysqladmin", b""),
    (b"mysqlimport", b""),
    (b"mariadb", b""),
    (b"mariadb-dump", b""),
    (b"sshpass", b""),
];
const PASSWORD_AFTER_A: &[Command] = &[(b"redis-cli", b""), (b"valkey-cli", b"")];
const PASSWORD_AFTER_W: &[Command] = &[
    (b"ldapsearch", b""),
    (b"ldapmodify", b""),
    (b"ldapadd", b""),
    (b"ldapdelete", b""),
    (b"ldapwhoami", b""),
];
const PASSWORD_AFTER_CAPITAL_P: &[Command] = &[(b"sqlcmd", b""), (b"bcp", b"")];
const USER_AFTER_CAPITAL_U: &[Command] = &[(b"smbclient", b""), (b"rpcclient", b"")];
const CURL: &[Command] = &[(b"curl", b"")];
const SECRET_BODY: &[Command] = &[(b"gh", b"secret")];
const WIFI: &[Command] = &[(b"nmcli", b"wifi")];

/// A quick check whether the dash at `dash` may begin a short option with a password.
#[inline]
pub(crate) fn may_be_short(bytes: &[u8], dash: usize) -> bool {
    matches!(bytes.get(dash + 1), Some(b'p' | b'a' | b'w' | b'P' | b'U' | b'u' | b'b'))
        && dash.checked_sub(1).is_none_or(|before| !bytes[before].is_ascii_graphic())
}

/// Adds the password of the short option whose dash is at `dash`.
#[inline(never)]
pub(crate) fn short_option(findings: &mut Findings<'_>, dash: usize) -> Option<usize> {
    let bytes = findings.bytes;
    let letter = *bytes.get(dash + 1)?;
    let value = skip_blanks(bytes, dash + 2);
    if value == dash + 2 {
        let is_attached = letter == b'p'
            && is_password(bytes, value)
            && names_program(bytes, dash, PASSWORD_ATTACHED_TO_P);
        return if is_attached { password(findings, value) } else { None };
    }
    match letter {
        b'b' => header::cookie_list(findings, value, Form::Doubtful),
        b'u' if names_program(bytes, dash, CURL) => user(findings, value, b':', is_argument),
        b'u' => user(findings, value, b':', |text| {
            text.len() >= SHORTEST_CREDENTIAL && is_argument(text) && !is_word_like(text)
        }),
        b'U' if names_program(bytes, dash, USER_AFTER_CAPITAL_U) => {
            user(findings, value, b'%', is_argument)
        }
        _ => {
            let programs = match letter {
                b'p' => PASSWORD_AFTER_P,
                b'a' => PASSWORD_AFTER_A,
                b'w' => PASSWORD_AFTER_W,
                b'P' => PASSWORD_AFTER_CAPITAL_P,
                _ => return None,
            };
            if is_password(bytes, value) && names_program(bytes, dash, programs) {
                password(findings, value)
            } else {
                None
            }
        }
    }
}

/// Adds the password of the long option whose name starts at `name`.
pub(crate) fn long_option(findings: &mut Findings<'_>, name: usize) -> Option<usize> {
    let bytes = findings.bytes;
    if !matches!(bytes.get(name), Some(b'u' | b'b' | b'p')) {
        return None;
    }
    let end = word_end(bytes, name);
    let value = skip_blanks(bytes, end + usize::from(bytes.get(end) == Some(&b'=')));
    match &bytes[name..end] {
        b"user" | b"proxy-user" if value > end && names_program(bytes, name, CURL) => {
            user(findings, value, b':', is_argument)
        }
        b"body" if value > end && names_program(bytes, name, SECRET_BODY) => {
            password(findings, value)
        }
        _ => None,
    }
}

/// Adds the secret after a word that is the name of a secret only in this context, such as
/// `identified by`.
pub(crate) fn argument(findings: &mut Findings<'_>, word: &Range<usize>) -> Option<usize> {
    let bytes = findings.bytes;
    match &bytes[word.clone()] {
        b"echo" => piped(findings, word.end),
        b"pass" if bytes.get(word.end) == Some(&b':') => {
            let before = &bytes[..word.start];
            let is_openssl =
                [&b"-passin "[..], b"-passout ", b"-pass "].iter().any(|o| before.ends_with(o));
            if is_openssl { password(findings, word.end + 1) } else { None }
        }
        text if text.eq_ignore_ascii_case(b"identified") => {
            let rest = &bytes[word.end..];
            let by = rest.get(..4).filter(|by| by.eq_ignore_ascii_case(b" by "))?;
            let value = Value::probe(bytes, word.end + by.len());
            // Sentences may also contain `identified by`.
            let is_statement = text == b"IDENTIFIED" || has_digit(&bytes[value.range.clone()]);
            if is_statement && value.is_quoted() {
                password(findings, word.end + by.len())
            } else {
                None
            }
        }
        _ => None,
    }
}

/// Adds the password after a word such as `password` or `AUTH`, if a directive, a prompt or a
/// command makes its meaning clear: `requirepass …`, `login … password …`, `> AUTH …`.
pub(crate) fn directive(
    findings: &mut Findings<'_>,
    word: &Range<usize>,
    class: KeyClass,
    link: Link,
) -> Option<usize> {
    let bytes = findings.bytes;
    if link.style != Style::Adjacent {
        return None;
    }
    let text = &bytes[word.clone()];
    let before = &bytes[..word.start];
    let is_clear = match text {
        b"requirepass" | b"masterauth" | b"bindpw" | b"rootpw" => starts_line(before),
        b"AUTH" => before.ends_with(b"> "),
        b"htpasswd" => return password(findings, third_argument(bytes, link.value)?),
        b"password" => follows_login(before) || names_program(bytes, word.start, WIFI),
        _ => class == KeyClass::Password && bytes[..link.value].ends_with(b" BY "),
    };
    if is_clear { password(findings, link.value) } else { None }
}

/// The position after the user in `htpasswd -b file user …`.
fn third_argument(bytes: &[u8], option: usize) -> Option<usize> {
    let letters = bytes[option..].strip_prefix(b"-")?;
    let letters = &letters[..word_end(letters, 0)];
    let mut at = skip_blanks(bytes, option + 1 + letters.len());
    for _ in 0..2 {
        let rest = &bytes[at..bytes.len().min(at + LONGEST_LOGIN)];
        let length = rest.iter().take_while(|byte| byte.is_ascii_graphic()).count();
        at = skip_blanks(bytes, at + length);
    }
    letters.contains(&b'b').then_some(at)
}

/// Adds the password of a line `host:5432:database:user:password` in `.pgpass`. The search begins
/// at the port.
pub(crate) fn pgpass(findings: &mut Findings<'_>, colon: usize) -> Option<usize> {
    let bytes = findings.bytes;
    let mut at = colon + bytes[colon..].strip_prefix(b":5432:").map(|_| b":5432:".len())?;
    for _ in 0..2 {
        let end = word_end(bytes, at);
        if end == at || bytes.get(end) != Some(&b':') {
            return None;
        }
        at = end + 1;
    }
    password(findings, at)
}

fn password(findings: &mut Findings<'_>, at: usize) -> Option<usize> {
    let bytes = findings.bytes;
    is_password(bytes, at).then(|| {
        let range = Value::probe(bytes, at).complete(bytes);
        findings.push(range, SecretKind::Password)
    })
}

/// Whether the value at `at` may be a password. This check is faster than the search for the
/// program's name, so it comes first.
fn is_password(bytes: &[u8], at: usize) -> bool {
    let value = Value::probe(bytes, at);
    !is_cut_off(bytes, &value) && is_argument(&bytes[value.range.clone()])
}

/// Whether the value ends at an opening bracket, because it is a call, or a part of it was already
/// replaced.
fn is_cut_off(bytes: &[u8], value: &Value) -> bool {
    !value.is_quoted() && matches!(bytes.get(value.range.end), Some(b'(' | b'[' | b'{'))
}

/// Adds the password of `user:password`.
fn user(
    findings: &mut Findings<'_>,
    at: usize,
    sign: u8,
    is_password: impl Fn(&[u8]) -> bool,
) -> Option<usize> {
    let bytes = findings.bytes;
    let value = Value::probe(bytes, at);
    let text = &bytes[value.range.clone()];
    let joint = memchr::memchr(sign, text)?;
    let is_secret = joint > 0
        && !is_cut_off(bytes, &value)
        && is_word_like(&text[..joint])
        && !is_reference(text)
        && is_password(&text[joint + 1..]);
    is_secret.then(|| {
        let range = value.complete(bytes);
        findings.push(range.start + joint + 1..range.end, SecretKind::Password)
    })
}

/// Adds the text that `echo` writes to a program that reads a password from its input.
fn piped(findings: &mut Findings<'_>, at: usize) -> Option<usize> {
    let bytes = findings.bytes;
    let mut start = skip_blanks(bytes, at);
    if bytes[start..].starts_with(b"-n ") {
        start += b"-n ".len();
    }
    let value = Value::probe(bytes, start);
    let end = value.range.end + usize::from(value.is_quoted());
    let pipe = skip_blanks(bytes, end.min(bytes.len()));
    if bytes.get(pipe) != Some(&b'|') {
        return None;
    }
    let rest = &bytes[pipe..bytes.len().min(pipe + LONGEST_PIPE)];
    let rest = &rest[..memchr::memchr2(b'\n', b'\\', rest).unwrap_or(rest.len())];
    let reads = |program: &[u8]| memchr::memmem::find(rest, program).is_some();
    if reads(b"chpasswd") {
        return user(findings, start, b':', is_argument);
    }
    if reads(b"--password-stdin") || reads(b"--with-token") {
        return password(findings, start);
    }
    None
}

/// Whether the command before `at` names one of the programs.
fn names_program(bytes: &[u8], at: usize, programs: &[Command]) -> bool {
    let window = &bytes[at.saturating_sub(LONGEST_COMMAND)..at];
    let start = (0..window.len()).rev().find(|index| {
        let is_escaped_break = window[*index] == b'n' && *index > 0 && window[*index - 1] == b'\\';
        matches!(window[*index], b'\n' | b'|' | b';' | b'&' | b'`') || is_escaped_break
    });
    let command = &window[start.map_or(0, |start| start + 1)..];
    let words = || command.split(|byte| !is_word(*byte)).filter(|word| !word.is_empty());
    words().enumerate().any(|(index, word)| {
        programs.iter().any(|(program, subcommand)| {
            word == *program
                && (subcommand.is_empty() || words().skip(index + 1).any(|w| w == *subcommand))
        })
    })
}

fn starts_line(before: &[u8]) -> bool {
    let blanks = before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let before = &before[..before.len() - blanks];
    before.is_empty() || before.ends_with(b"\n") || before.ends_with(b"\\n")
}

/// Whether the text ends with `login name`, as in `.netrc`. The password follows on the same line
/// or the next one.
fn follows_login(before: &[u8]) -> bool {
    let window = &before[before.len().saturating_sub(LONGEST_LOGIN)..];
    let Some(login) = memchr::memmem::rfind(window, b"login ") else { return false };
    let rest = &window[login + b"login ".len()..];
    let name = rest.iter().take_while(|byte| byte.is_ascii_graphic() && **byte != b'\\').count();
    let gap = &rest[name..];
    name > 0 && !gap.is_empty() && gap.iter().all(|byte| b" \t\r\n\\nt".contains(byte))
}
