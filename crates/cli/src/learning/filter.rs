//! The filter of commands that list learnings.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use verger_library::{Filter, Standing};
use verger_memory::stats::Account;
use verger_memory::{Category, Scope, Status};

/// The value that selects every state.
const ALL: &str = "all";

/// All of it must hold.
#[derive(Debug, Args)]
pub(crate) struct LearningFilter {
    /// Only those in this state.
    #[arg(long, default_value = "active", value_parser = statuses())]
    pub(crate) status: String,

    /// Only those of this scope.
    #[arg(long, value_parser = scopes())]
    pub(crate) scope: Option<Scope>,

    /// Kind.
    ///
    /// Only learnings of this kind are shown.
    #[arg(long, value_parser = categories())]
    pub(crate) category: Option<Category>,
}

fn statuses() -> PossibleValuesParser {
    PossibleValuesParser::new(Status::WORDS.iter().copied().chain([ALL]))
}

fn scopes() -> impl TypedValueParser<Value = Scope> {
    PossibleValuesParser::new(Scope::WORDS).try_map(|word| word.parse::<Scope>())
}

fn categories() -> impl TypedValueParser<Value = Category> {
    PossibleValuesParser::new(Category::WORDS).try_map(|word| word.parse::<Category>())
}

impl LearningFilter {
    /// Whether archived learnings are wanted, too.
    pub(crate) fn wants_archived(&self) -> bool {
        self.status == ALL || self.status == Status::Archived.as_str()
    }

    /// The same filter for the index.
    pub(crate) fn of_index(&self) -> Filter {
        let standings = match self.status.as_str() {
            "active" => vec![Standing::Active, Standing::Suspect],
            "archived" => vec![Standing::Archived],
            "superseded" => vec![Standing::Superseded],
            _ => vec![],
        };
        Filter {
            standings,
            scopes: self.scope.into_iter().collect(),
            categories: self.category.into_iter().collect(),
            created_after: None,
        }
    }

    pub(crate) fn accepts(&self, Account { learning, status, .. }: &Account) -> bool {
        (self.status == ALL || self.status == status.as_str())
            && self.scope.is_none_or(|scope| learning.scope == scope)
            && self.category.is_none_or(|category| learning.category == category)
    }
}
