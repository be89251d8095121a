//! The order of a job: the program that the supervisor runs, with its limits. Also encodes the
//! order in the job's directory.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::time::Duration;

/// A program and its limits. The environment is not included: the program inherits the supervisor's
/// environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
    /// The working directory of the program.
    pub directory: PathBuf,
    pub time_limit: Duration,
    /// The size limit of each output stream. If standard output exceeds it, the program is killed.
    /// If standard error exceeds it, the rest is discarded.
    pub max_output_bytes: u64,
}

/// The byte between two fields of an encoded order. A field can't contain it.
const SEPARATOR: u8 = 0;

impl Order {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let limits = [self.time_limit.as_millis(), self.max_output_bytes.into()];
        let limits = limits.map(|limit| OsString::from(limit.to_string()));
        let fields = limits.iter().map(OsString::as_os_str);
        let fields = fields.chain([self.directory.as_os_str(), self.program.as_os_str()]);
        let fields = fields.chain(self.arguments.iter().map(OsString::as_os_str));
        fields.map(OsStr::as_bytes).collect::<Vec<_>>().join(&SEPARATOR)
    }

    /// Decodes an order. `None` if `bytes` are not a valid order.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut fields =
            bytes.split(|&byte| byte == SEPARATOR).map(|field| OsString::from_vec(field.to_vec()));
        let mut number = || fields.next()?.to_str()?.parse::<u64>().ok();
        let (time_limit, max_output_bytes) = (Duration::from_millis(number()?), number()?);
        Some(Self {
            time_limit,
            max_output_bytes,
            directory: fields.next()?.into(),
            program: fields.next()?.into(),
            arguments: fields.collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_read_as_it_was_written() {
        let order = Order {
            program: "/usr/bin/review er".into(),
            arguments: vec!["-x".into(), "".into(), OsString::from_vec(vec![0xff, b'\n'])],
            directory: "/home/dev/project".into(),
            time_limit: Duration::from_millis(1500),
            max_output_bytes: 7,
        };
        assert_eq!(Order::decode(&order.encode()), Some(order.clone()));
        let plain = Order { arguments: vec![], ..order };
        assert_eq!(Order::decode(&plain.encode()), Some(plain));
        for bytes in [&b""[..], b"1", b"1\x002\x00/d", b"x\x002\x00/d\x00/p"] {
            assert_eq!(Order::decode(bytes), None, "{bytes:?}");
        }
    }
}
