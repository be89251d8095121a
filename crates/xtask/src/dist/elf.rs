//! A minimal ELF parser. It detects whether a program needs a dynamic loader.

/// The type of the program header that names the dynamic loader.
const PT_INTERP: u32 = 3;

/// Whether a 64-bit little-endian ELF file names a dynamic loader.
pub(crate) fn needs_loader(content: &[u8]) -> Result<bool, &'static str> {
    if !content.starts_with(b"\x7fELF") {
        return Err("no ELF header");
    }
    if content.get(4..6) != Some(&[2, 1]) {
        return Err("another class or byte order");
    }
    let table = u64_at(content, 0x20).ok_or("the header is cut off")?;
    let entry_size = u16_at(content, 0x36).ok_or("the header is cut off")?;
    let entries = u16_at(content, 0x38).ok_or("the header is cut off")?;
    let table = usize::try_from(table).map_err(|_| "the program headers are out of range")?;
    for index in 0..usize::from(entries) {
        let kind = table
            .checked_add(index * usize::from(entry_size))
            .and_then(|at| u32_at(content, at))
            .ok_or("the program headers are cut off")?;
        if kind == PT_INTERP {
            return Ok(true);
        }
    }
    Ok(false)
}

fn bytes_at<const N: usize>(content: &[u8], at: usize) -> Option<[u8; N]> {
    content.get(at..at.checked_add(N)?)?.try_into().ok()
}

fn u16_at(content: &[u8], at: usize) -> Option<u16> {
    bytes_at(content, at).map(u16::from_le_bytes)
}

fn u32_at(content: &[u8], at: usize) -> Option<u32> {
    bytes_at(content, at).map(u32::from_le_bytes)
}

fn u64_at(content: &[u8], at: usize) -> Option<u64> {
    bytes_at(content, at).map(u64::from_le_bytes)
}

/// A sample ELF file that has only a header, and program headers of the given types.
#[cfg(test)]
pub(crate) fn sample(types: &[u32]) -> Vec<u8> {
    const HEADER: u8 = 64;
    const ENTRY: u8 = 56;
    let mut content = vec![0; usize::from(HEADER)];
    content[..6].copy_from_slice(b"\x7fELF\x02\x01");
    content[0x20] = HEADER;
    content[0x36] = ENTRY;
    content[0x38] = u8::try_from(types.len()).unwrap();
    for kind in types {
        content.extend(kind.to_le_bytes());
        content.resize(content.len() + usize::from(ENTRY) - 4, 0);
    }
    content
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loader_is_found_among_the_program_headers() {
        assert_eq!(needs_loader(&sample(&[1, 2, 6])), Ok(false));
        assert_eq!(needs_loader(&sample(&[6, PT_INTERP, 1])), Ok(true));
    }

    #[test]
    fn a_file_that_is_cut_off_anywhere_is_refused_or_read_without_panic() {
        let whole = sample(&[1, PT_INTERP]);
        for length in 0..whole.len() {
            assert_ne!(needs_loader(&whole[..length]), Ok(false), "{length} bytes");
        }
    }
}
