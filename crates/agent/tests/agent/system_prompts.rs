//! The system prompts, compared with `tests/fixtures/prompts`. `COPYDESK_UPDATE=1` writes them again.

use copydesk_agent::prompt::{Rule, SystemPrompt, system_prompt};
use copydesk_agent::skills::{Shown, Skill};
use copydesk_agent::tools::Subject;
use copydesk_base::Locale;
use copydesk_base::decode::from_value;
use serde_json::json;

/// Returns the prompts of agents of several kinds, each below a line with its kind.
fn prompts(locale: Locale) -> String {
    let skills: Vec<Skill> = from_value(&json!([
        { "name": "haiku", "description": "Writes haiku.", "content": "5, 7, 5.", "trusted": true },
        { "name": "report", "description": "Writes reports.", "content": "Be exact.", "files": ["form.md"] },
        { "name": "novel", "description": "Writes novels.", "content": "word ".repeat(1_000) },
    ]))
    .unwrap();
    let rules: Vec<Rule> = from_value(&json!([
        { "id": "a", "text": "British spelling." },
        { "id": "b", "text": "Off.", "enabled": false },
        { "id": "c", "text": "Cite.\nAlways." },
    ]))
    .unwrap();
    let (none, shown) = (Shown::default(), Shown::of(&skills, &[], 100, 8_000));
    let plain = SystemPrompt {
        own: None,
        subjects: &[Subject::Document, Subject::Outside],
        shows_document: true,
        skills: &none,
        rules: &[],
        locale,
    };
    let everything =
        [Subject::Document, Subject::Workspace, Subject::Files, Subject::Skills, Subject::Outside].as_slice();
    let kinds = [
        ("a document", system_prompt(&plain)),
        ("a document that is not shown", system_prompt(&SystemPrompt { shows_document: false, ..plain })),
        (
            "a workspace",
            system_prompt(&SystemPrompt { subjects: &[Subject::Workspace, Subject::Files, Subject::Outside], ..plain }),
        ),
        ("a prompt of the app", system_prompt(&SystemPrompt { own: Some("\nHelp.\n"), ..plain })),
        ("everything", system_prompt(&SystemPrompt { subjects: everything, skills: &shown, rules: &rules, ..plain })),
    ];
    kinds.iter().map(|(kind, prompt)| format!("==== {kind}\n\n{prompt}\n\n")).collect()
}

#[test]
fn system_prompts_are_the_recorded_ones() {
    for (locale, name) in [(Locale::En, "en"), (Locale::ZhCn, "zh-CN")] {
        let path = format!("{}/../../tests/fixtures/prompts/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        let prompts = prompts(locale);
        if std::env::var_os("COPYDESK_UPDATE").is_some() {
            std::fs::write(&path, &prompts).unwrap();
        }
        assert_eq!(prompts, std::fs::read_to_string(&path).unwrap());
    }
}

#[test]
fn the_same_settings_give_the_same_bytes() {
    assert_eq!(prompts(Locale::En), prompts(Locale::En));
}
