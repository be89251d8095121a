//! The clock and the generator of ids. Programs make them where they start and pass them on as
//! parameters.

use std::cell::Cell;

use verger_event::{EventId, Timestamp};

use crate::Environment;

const TOKEN_PREFIX: &str = "vrt_";
const TOKEN_BYTES: usize = 20;

/// The time of a call, and a generator of record ids.
pub struct Clock {
    now: Timestamp,
    next_random: Cell<u128>,
}

impl Clock {
    /// The clock of this process. It reads the time once, so all records of one call have the
    /// same time.
    pub fn of_process(environment: &Environment) -> Self {
        let (now, random) = fixed(environment).unwrap_or_else(|| (system_time(), random_bits()));
        Self { now, next_random: Cell::new(random) }
    }

    /// A clock with the current time, for use after a wait. It continues the ids of this clock.
    #[must_use]
    pub fn again(&self, environment: &Environment) -> Self {
        let now = fixed(environment).map_or_else(system_time, |(now, _)| now);
        Self { now, next_random: Cell::new(self.next_random.get()) }
    }

    /// The time of the call.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// A new id. Ids of one call sort in the order they were made.
    pub fn next_id(&self) -> EventId {
        let random = self.next_random.get();
        self.next_random.set(random.wrapping_add(1));
        EventId::new(self.now, random)
    }
}

/// The environment variable with the seed for a child process's ids, in tests with fixed ids. The
/// seed differs from this process's seed.
#[cfg(feature = "fixed")]
pub fn seed_of_child(clock: &Clock) -> Option<(&'static str, String)> {
    const IDS_OF_OURS: u128 = 50;
    Some(("VERGER_TEST_SEED", (clock.next_random.get() + IDS_OF_OURS).to_string()))
}

#[cfg(not(feature = "fixed"))]
pub fn seed_of_child(_: &Clock) -> Option<(&'static str, String)> {
    None
}

/// A one-time token: 160 random bits in a form that `redact` recognizes. `None` if the kernel has
/// no randomness yet, because a token that can be guessed protects nothing.
pub(crate) fn new_token(clock: &Clock) -> Option<String> {
    let mut bytes = [0_u8; TOKEN_BYTES];
    fill_with_randomness(clock, &mut bytes)?;
    let letter = |bits: u8| char::from(b"abcdefghijklmnopqrstuvwxyz234567"[usize::from(bits)]);
    let letters = (0..TOKEN_BYTES * 8 / 5).map(|n| {
        let (byte, shift) = (n * 5 / 8, n * 5 % 8);
        let next = bytes.get(byte + 1).copied().unwrap_or_default();
        let window = u16::from_be_bytes([bytes[byte], next]);
        letter(u8::try_from(window >> (11 - shift) & 31).unwrap_or_default())
    });
    Some(format!("{TOKEN_PREFIX}{}", letters.collect::<String>()))
}

#[cfg(feature = "fixed")]
#[expect(clippy::unnecessary_wraps, reason = "the version without the feature `fixed` can fail")]
fn fill_with_randomness(clock: &Clock, bytes: &mut [u8; TOKEN_BYTES]) -> Option<()> {
    let id = clock.next_id().to_string();
    for (byte, known) in bytes.iter_mut().zip(id.bytes().rev()) {
        *byte = known;
    }
    Some(())
}

#[cfg(not(feature = "fixed"))]
fn fill_with_randomness(_: &Clock, bytes: &mut [u8; TOKEN_BYTES]) -> Option<()> {
    let filled =
        rustix::rand::getrandom(bytes.as_mut_slice(), rustix::rand::GetRandomFlags::empty());
    (filled == Ok(TOKEN_BYTES)).then_some(())
}

#[cfg(feature = "fixed")]
fn fixed(environment: &Environment) -> Option<(Timestamp, u128)> {
    // For tests that start several processes: a shifted clock, and random ids, so that the
    // processes' ids differ.
    if let Some(later) = environment.text("VERGER_TEST_LATER_MS") {
        let now = system_time().as_millis() + later.parse::<u64>().ok()?;
        return Some((Timestamp::from_millis(now), random_bits()));
    }
    let now = environment.text("VERGER_TEST_NOW_MS")?.parse().ok()?;
    let seed = environment.text("VERGER_TEST_SEED")?.parse().ok()?;
    Some((Timestamp::from_millis(now), seed))
}

#[cfg(not(feature = "fixed"))]
fn fixed(_: &Environment) -> Option<(Timestamp, u128)> {
    None
}

#[expect(clippy::disallowed_methods, reason = "the one place that reads the wall clock")]
fn system_time() -> Timestamp {
    let since_epoch = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        // A clock before 1970 is wrong, but the order of records doesn't depend on the clock.
        .unwrap_or_default();
    Timestamp::from_millis(u64::try_from(since_epoch.as_millis()).unwrap_or(u64::MAX))
}

/// 79 random bits. An id has 80, so counting up from this number doesn't overflow.
fn random_bits() -> u128 {
    let mut bytes = [0; 16];
    match rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty()) {
        Ok(_) => u128::from_le_bytes(bytes) >> 49,
        // The kernel has no randomness yet. The process id is unique among the running processes.
        Err(_) => u128::from(std::process::id()) << 32,
    }
}
