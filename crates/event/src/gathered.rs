//! A function that collects items into sets and maps without sorting.

/// Collects items into a set or map one by one. Use it if there are few items: `collect` sorts them
/// first, which adds some kilobytes of machine code for every type.
pub fn gathered<C: Default + Extend<T>, T>(items: impl IntoIterator<Item = T>) -> C {
    let mut gathered = C::default();
    gathered.extend(items);
    gathered
}
