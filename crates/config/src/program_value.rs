//! Values of settings that are programs, which verger runs.

use serde_json::{Value as Json, json};
use toml::de::{DeTable, DeValue};

use crate::value::{Found, Given, Value, kind_of, strings};
use crate::{MAX_ARGUMENT_BYTES, MAX_LIST_ENTRIES};

/// Maximum number of programs that one key can have.
const MAX_PROGRAMS: usize = 12;

/// A program that verger runs, and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramCommand {
    pub program: String,
    pub arguments: Vec<String>,
}

impl Value for ProgramCommand {
    type Bounds = ();

    fn read(given: Given<'_>, (): &()) -> Result<Option<Self>, Found> {
        match given {
            Given::Toml(value) => Self::of(value).map(Some),
            Given::Variable("") => Ok(None),
            Given::Variable(_) => Err("other text".into()),
        }
    }

    fn expected((): &()) -> String {
        format!(
            "{{ command = [\"program\", \"argument\"] }} with at most {MAX_LIST_ENTRIES} strings \
             of 1 to {MAX_ARGUMENT_BYTES} bytes without control characters"
        )
    }

    fn to_json(&self) -> Json {
        json!({ "command": self.argv() })
    }
}

impl ProgramCommand {
    fn of(value: &DeValue<'_>) -> Result<Self, Found> {
        let DeValue::Table(table) = value else { return Err(kind_of(value).into()) };
        let mut words = match only_entry(table, "command")? {
            DeValue::Array(array) => strings(array, MAX_ARGUMENT_BYTES)?,
            other => return Err(format!("{} as its command", kind_of(other)).into()),
        };
        if words.len() > MAX_LIST_ENTRIES {
            return Err("more arguments".into());
        }
        if words.is_empty() {
            return Err("an empty command".into());
        }
        let program = words.remove(0);
        Ok(Self { program, arguments: words })
    }

    /// The program, followed by its arguments.
    pub fn argv(&self) -> Vec<String> {
        [&self.program].into_iter().chain(&self.arguments).cloned().collect()
    }
}

/// A list of programs, which run in this order.
impl Value for Vec<ProgramCommand> {
    type Bounds = ();

    fn read(given: Given<'_>, (): &()) -> Result<Option<Self>, Found> {
        let array = match given {
            Given::Toml(DeValue::Array(array)) => array,
            Given::Toml(other) => return Err(kind_of(other).into()),
            Given::Variable("") => return Ok(None),
            Given::Variable(_) => return Err("other text".into()),
        };
        if array.len() > MAX_PROGRAMS {
            return Err("more programs".into());
        }
        let programs = array.iter().map(|entry| ProgramCommand::of(entry.get_ref()));
        programs.collect::<Result<_, _>>().map(Some)
    }

    fn expected((): &()) -> String {
        format!("a list of at most {MAX_PROGRAMS} {}", ProgramCommand::expected(&()))
    }

    fn to_json(&self) -> Json {
        self.iter().map(Value::to_json).collect()
    }
}

fn only_entry<'t>(table: &'t DeTable<'_>, name: &str) -> Result<&'t DeValue<'t>, String> {
    match table.get(name) {
        Some(value) if table.len() == 1 => Ok(value.get_ref()),
        Some(_) => Err(format!("a table with keys other than {name:?}")),
        None => Err(format!("a table without {name:?}")),
    }
}
