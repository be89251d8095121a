//! Sets and maps without a sort.

/// A set or a map of what comes. To `collect` one is to sort first, and the sort is some kilobytes of program for
/// every type; where little comes, it is put in one by one.
pub fn gathered<C: Default + Extend<T>, T>(items: impl IntoIterator<Item = T>) -> C {
    let mut gathered = C::default();
    gathered.extend(items);
    gathered
}
