//! Tests of every key in every layer, of the texts of problems, and of properties of any input.

mod every_key;
mod properties;
mod texts;

use std::ffi::OsString;

use crate::layers::{Layers, Origin, Project, ProjectTrust, Source};
use crate::{Problem, Settings, resolve};

const USER: &str = "~/.config/verger/config.toml";
const PROJECT: &str = ".verger/config.toml";

/// The layers of one test case.
#[derive(Debug, Default, Clone)]
struct Case {
    user: Option<Vec<u8>>,
    project: Option<(Vec<u8>, ProjectTrust)>,
    environment: Vec<(OsString, OsString)>,
}

impl Case {
    fn user(text: impl Into<Vec<u8>>) -> Self {
        Self { user: Some(text.into()), ..Self::default() }
    }

    fn untrusted(mut self, text: impl Into<Vec<u8>>) -> Self {
        self.project = Some((text.into(), ProjectTrust::Untrusted));
        self
    }

    fn trusted(mut self, text: impl Into<Vec<u8>>) -> Self {
        self.project = Some((text.into(), ProjectTrust::Trusted));
        self
    }

    fn variable(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    fn resolve(&self) -> (Settings, Vec<Problem>) {
        let (settings, problems) = resolve(&Layers {
            user: self.user.as_ref().map(|bytes| Source { file: USER, bytes }),
            project: self.project.as_ref().map(|(bytes, trust)| Project {
                source: Source { file: PROJECT, bytes },
                trust: *trust,
            }),
            environment: &self.environment,
        });
        (*settings, problems)
    }

    /// The problems of the case, and then the settings that differ from their default, one per
    /// line.
    fn summary(&self) -> String {
        let (settings, problems) = self.resolve();
        let problems = problems.iter().map(ToString::to_string);
        let set =
            settings.list().filter(|setting| *setting.origin != Origin::Default).map(|setting| {
                let origins = setting.joined.iter().chain([setting.origin]);
                let origins: Vec<String> = origins.map(ToString::to_string).collect();
                format!("{} = {} from {}", setting.path, setting.value, origins.join(" + "))
            });
        problems.chain(set).collect::<Vec<_>>().join("\n")
    }
}
