//! Computes percentiles and shares, and formats them for the report.

/// The percentile of the values by nearest rank: `percent` of the values are at or below it.
/// Returns 0 if there are no values.
pub(crate) fn percentile<T: Copy + Ord + Default>(values: &[T], percent: usize) -> T {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or_default()
}

/// Formats a share as `12 of 40 (30.0 %)`.
pub(crate) fn share(some: usize, of: usize) -> String {
    format!("{some} of {of} ({})", percent(some, of))
}

/// Formats a percentage as `30.0 %`, with two decimals below one per cent. Returns `-` if `of` is
/// 0.
pub(crate) fn percent(some: usize, of: usize) -> String {
    if of == 0 {
        return "-".to_owned();
    }
    #[expect(clippy::cast_precision_loss, reason = "counts of sessions and calls are small")]
    let percent = some as f64 * 100.0 / of as f64;
    if percent > 0.0 && percent < 1.0 {
        format!("{percent:.2} %")
    } else {
        format!("{percent:.1} %")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_occur() {
        let values = [5, 1, 4, 2, 3];
        assert_eq!([0, 50, 99, 100].map(|p| percentile(&values, p)), [1, 3, 5, 5]);
        assert_eq!(percentile::<u64>(&[], 50), 0);
    }

    #[test]
    fn shares_are_rounded() {
        assert_eq!(share(3, 10), "3 of 10 (30.0 %)");
        assert_eq!(share(1, 900), "1 of 900 (0.11 %)");
        assert_eq!(share(0, 0), "0 of 0 (-)");
    }
}
