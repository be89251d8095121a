//! What a sentence can say about the work, and how much each of it weighs.

/// One thing that a sentence says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Signal {
    /// A word for being finished: "Done", "is fixed", "完了しました".
    Finished,
    /// Something was made: "I've added", "has been moved", "追加しました".
    Deed,
    /// It is so since the work: "now redirects", "no longer panics", "ようになりました".
    Became,
    /// Something that was run went well: "42 passed", "the suite is green", "成功しています".
    Proof,
    /// The output of a run that went well.
    Shown,
    /// How it is, which may be so since the work or always: "are written to", "instead of".
    Described,
    /// Something is left: "still missing", "3 of 5", "未実装".
    Missing,
    /// It is said to be not finished: "isn't fixed", "完了していません".
    Denied,
    /// It goes on, or only will be so: "I'll", "moving on to", "これから".
    GoesOn,
    /// A question that the work waits for.
    Asks,
    /// It went wrong: "two tests fail", "rolled back", "失敗しました".
    Failed,
    /// Something is not as it should be, or may be: "is off", "there's only".
    Doubtful,
    /// The output of a run that did not go well.
    Broke,
    /// What the agent could not do, other than to look at it.
    CouldNot,
    /// What would be well to do: "I'd suggest", "おすすめします".
    Advised,
    /// It is told why something is so, as answers do.
    Explained,
    /// It was only looked at: "the review is complete", "調査".
    Looked,
    /// The words of somebody else: "the ticket says", "とあります".
    Reported,
}

/// A message claims completion from this sum on.
pub(super) const LEAST_SCORE: i32 = 3;
/// From here on a claim is one by itself, and not only beside others.
pub(super) const STRONG: i32 = 5;
/// Another sentence that claims; two of them count.
pub(super) const WEIGHT_OF_ANOTHER: i32 = 1;
/// The first sentence claims.
pub(super) const WEIGHT_OF_FIRST: i32 = 1;
/// What only frames a message, after a claim.
pub(super) const WEIGHT_OF_FRAME: i32 = -1;
/// What speaks against it in a list, after a claim: the items may tell what was made.
pub(super) const WEIGHT_IN_LIST: i32 = -3;

impl Signal {
    /// How much it says that the work is done, or, below zero, that it is not.
    pub(super) fn weight(self) -> i32 {
        match self {
            Self::Finished | Self::Deed => 6,
            Self::Became => 5,
            Self::Proof => 4,
            Self::Shown => 3,
            Self::Described => 2,
            Self::Missing | Self::Denied | Self::GoesOn | Self::Asks => -7,
            Self::Failed | Self::CouldNot => -6,
            Self::Looked => -5,
            Self::Broke | Self::Reported => -4,
            Self::Advised | Self::Doubtful => -3,
            Self::Explained => -2,
        }
    }

    /// Whether it tells what kind of message this is, so that it says little after a claim: a summary may end
    /// with advice.
    pub(super) fn frames(self) -> bool {
        matches!(
            self,
            Self::Advised | Self::Looked | Self::Reported | Self::Explained | Self::Broke
        )
    }
}
