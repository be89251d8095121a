//! Collects into sets and maps without a sort.

/// Collects items into a set or a map one by one. `collect` sorts first, and the sort adds some
/// kilobytes of program for every type. Use this for few items.
pub fn gathered<C: Default + Extend<T>, T>(items: impl IntoIterator<Item = T>) -> C {
    let mut gathered = C::default();
    gathered.extend(items);
    gathered
}
