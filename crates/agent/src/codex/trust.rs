//! Codex's trust in hooks. The program computes the hash of each hook itself and lists it by its
//! application server, which reads and answers JSON-RPC requests line by line.

use serde::Deserialize;
use serde_json::Value;

use crate::install_spec::{HookTrust, ListedHook};

pub(super) const TRUST: HookTrust = HookTrust {
    file: "config.toml",
    arguments: &["app-server"],
    requests: concat!(
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"clientInfo":{"name":"verger","version":"1"}}}"#,
        "\n",
        r#"{"jsonrpc":"2.0","method":"initialized"}"#,
        "\n",
        r#"{"jsonrpc":"2.0","id":2,"method":"hooks/list","params":{}}"#,
        "\n",
    ),
    hooks,
    section,
};

/// The `id` of the request for the hooks.
const REQUEST: u64 = 2;

#[derive(Deserialize)]
struct Answer {
    id: u64,
    #[serde(default)]
    result: Listed,
}

#[derive(Default, Deserialize)]
struct Listed {
    #[serde(default)]
    data: Vec<Directory>,
}

#[derive(Deserialize)]
struct Directory {
    hooks: Vec<Hook>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Hook {
    key: String,
    #[serde(default)]
    command: Option<String>,
    source_path: String,
    current_hash: String,
    trust_status: String,
}

fn hooks(line: &str) -> Option<Vec<ListedHook>> {
    let answer: Answer =
        serde_json::from_str(line).ok().filter(|one: &Answer| one.id == REQUEST)?;
    let hooks = answer.result.data.into_iter().flat_map(|directory| directory.hooks);
    let listed = |hook: Hook| ListedHook {
        key: hook.key,
        hash: hook.current_hash,
        command: hook.command.unwrap_or_default(),
        file: hook.source_path,
        is_trusted: hook.trust_status == "trusted",
    };
    Some(hooks.map(listed).collect())
}

/// A JSON string is a TOML string, too.
fn section(hook: &ListedHook) -> [String; 2] {
    let text = |text: &str| Value::from(text).to_string();
    [format!("[hooks.state.{}]", text(&hook.key)), format!("trusted_hash = {}", text(&hook.hash))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_lists_hooks() {
        // As version 0.169.0 answers, without the keys that are not read.
        let answer = r#"{"id":2,"result":{"data":[{"cwd":"/p","hooks":[{"key":"/h/.codex/hooks.json:stop:0:0","eventName":"stop","handlerType":"command","command":"verger-hook codex Stop","sourcePath":"/h/.codex/hooks.json","source":"user","currentHash":"sha256:ebc9","trustStatus":"untrusted"}],"warnings":[],"errors":[]}]}}"#;
        let hook = ListedHook {
            key: "/h/.codex/hooks.json:stop:0:0".to_owned(),
            hash: "sha256:ebc9".to_owned(),
            command: "verger-hook codex Stop".to_owned(),
            file: "/h/.codex/hooks.json".to_owned(),
            is_trusted: false,
        };
        assert_eq!(hooks(answer), Some(vec![hook.clone()]));
        assert_eq!(hooks(r#"{"id":1,"result":{"codexHome":"/h/.codex"}}"#), None);
        assert_eq!(hooks(r#"{"method":"remoteControl/status/changed","params":{}}"#), None);
        assert_eq!(
            section(&hook),
            [r#"[hooks.state."/h/.codex/hooks.json:stop:0:0"]"#, r#"trusted_hash = "sha256:ebc9""#]
        );
    }
}
