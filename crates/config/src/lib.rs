//! Raw configuration layers resolved to settings that know the origin of every value.
