//! The pieces of code in a program, as the linker's map names them.

use std::ops::Range;

/// The code of one function, or of one object file of a library.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Section<'a> {
    pub(super) addresses: Range<u64>,
    /// The last component of a path; `archive(member)` for what is in an archive.
    file: &'a str,
    name: &'a str,
}

/// Numbers that hash a crate, count implementations or point back within a name are shorter.
const MAX_NUMBER_DIGITS: usize = 11;

/// What of lld's map is code, by address.
pub(super) fn sections(map: &str) -> Vec<Section<'_>> {
    let mut sections: Vec<_> = map.lines().filter_map(section).collect();
    sections.sort_by_key(|section| section.addresses.start);
    sections
}

/// The number of the section that has this address.
pub(super) fn section_at(sections: &[Section<'_>], address: u64) -> Option<usize> {
    let after = sections.partition_point(|section| section.addresses.start <= address);
    let number = after.checked_sub(1)?;
    sections[number].addresses.contains(&address).then_some(number)
}

/// Address, address to load it to, size, alignment, and `file:(section)`.
fn section(line: &str) -> Option<Section<'_>> {
    let mut words = line.split_ascii_whitespace();
    let mut number = || u64::from_str_radix(words.next()?, 16).ok();
    let (start, _, size) = (number()?, number()?, number()?);
    let (path, name) = line.strip_suffix(')')?.rsplit_once(":(")?;
    let file = path.rsplit(['/', ' ']).next()?;
    (name.starts_with(".text") && size > 0).then_some(Section {
        addresses: start..start + size,
        file,
        name,
    })
}

impl Section<'_> {
    /// How a linker script names it, whatever the version of the compiler and of its crate. Nothing
    /// for what has no name of its own.
    pub(super) fn pattern(&self) -> Option<String> {
        if let Some((archive, member)) = self.file.split_once(".a(") {
            let member = member.strip_suffix(')')?;
            return Some(format!("*{archive}.a:{member}({})", self.name));
        }
        // What the linker appends to tell copies apart is a number after a dot.
        let name = match self.name.rsplit_once('.') {
            Some((name, copy)) if copy.parse::<u64>().is_ok() => name,
            _ => self.name,
        };
        name.contains("._R").then(|| format!("*({}*)", without_numbers(name)))
    }
}

/// The name with stars for its numbers: letters and digits between a capital and `s`, or `B`, and `_`.
/// It still matches where something else looks like one.
fn without_numbers(name: &str) -> String {
    let mut pattern = String::new();
    let mut rest = name;
    while let Some(at) = rest.find(['s', 'B']) {
        let (before, after) = rest.split_at(at + 1);
        let may_count = before.ends_with('B')
            || before[..at].ends_with(|before: char| before.is_ascii_uppercase());
        let digits = after.bytes().take_while(u8::is_ascii_alphanumeric).count();
        pattern.push_str(before);
        rest = after;
        if may_count && digits <= MAX_NUMBER_DIGITS && after[digits..].starts_with('_') {
            pattern.push('*');
            rest = &after[digits..];
        }
    }
    pattern + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = "\
             VMA              LMA     Size Align Out     In      Symbol
          2be240           2be240    dac01    64 .text
          2be240           2be240       31    16         /a b/deps/hook-0.rcgu.o:(.text._RNvCs1x_4hook4main)
          2be240           2be240       31     1                 _RNvCs1x_4hook4main
          2be280           2be280     5c56    16         /usr/lib/libc.a(malloc.o):(.text)
          300000           300000       10    16         /usr/lib/libc.a(malloc.o):(.data)
";

    #[test]
    fn code_has_a_file_and_a_name() {
        let expected = [
            Section {
                addresses: 0x002b_e240..0x002b_e271,
                file: "hook-0.rcgu.o",
                name: ".text._RNvCs1x_4hook4main",
            },
            Section {
                addresses: 0x002b_e280..0x002c_3ed6,
                file: "libc.a(malloc.o)",
                name: ".text",
            },
        ];
        assert_eq!(sections(MAP), expected);
    }

    #[test]
    fn an_address_is_in_the_section_around_it_or_in_none() {
        let sections = sections(MAP);
        let cases = [
            (0x002b_e23f, None),
            (0x002b_e240, Some(0)),
            (0x002b_e271, None),
            (0x002c_3ed5, Some(1)),
            (0x002c_3ed6, None),
        ];
        for (address, expected) in cases {
            assert_eq!(section_at(&sections, address), expected, "{address:x}");
        }
    }

    #[track_caller]
    fn check(file: &str, name: &str, expected: Option<&str>) {
        assert_eq!(Section { addresses: 0..1, file, name }.pattern().as_deref(), expected);
    }

    #[test]
    fn a_pattern_has_nothing_in_it_that_a_build_changes() {
        let name =
            ".text.unlikely._RNvMs4_NtCslNYArtu3iFV_5alloc7raw_vecNtB5_11RawVecInner4grow.407";
        let expected = "*(.text.unlikely._RNvMs*_NtCs*_5alloc7raw_vecNtB*_11RawVecInner4grow*)";
        check("hook.o", name, Some(expected));
        let name = ".text._RNvNtCs8HvSkEeKphY_12verger_store6stored6decode";
        check("hook.o", name, Some("*(.text._RNvNtCs*_12verger_store6stored6decode*)"));
        check("libc.a(malloc.o)", ".text", Some("*libc.a:malloc.o(.text)"));
        check("crt1.o", ".text", None);
        check("hook.o", ".text.main", None);
    }
}
