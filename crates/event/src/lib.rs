//! Ids, time, the normalised event, the verdict, and the versioned stored form of an event.
