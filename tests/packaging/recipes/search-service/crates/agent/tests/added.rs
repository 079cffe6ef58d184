//! The tools and the search service of the recipes.

#![allow(clippy::unwrap_used)]

use copydesk_agent::search::{SearchResult, Services, WebResult};
use copydesk_agent::tools::{Subject, built_in_on};
use copydesk_base::ErrorInfo;
use copydesk_base::locale::Locale;
use serde_json::json;

fn names_on(subject: Subject) -> Vec<String> {
    built_in_on(&[subject], Locale::En).into_iter().map(|tool| tool.spec.name).collect()
}

#[test]
fn the_tools_are_offered_on_their_subjects_with_their_policies() {
    assert!(names_on(Subject::Document).contains(&"count_words".to_owned()));
    assert!(names_on(Subject::Workspace).contains(&"measure_files".to_owned()));
    for tool in built_in_on(&[Subject::Document, Subject::Workspace], Locale::En) {
        if ["count_words", "measure_files"].contains(&&*tool.spec.name) {
            assert!(!tool.policy.edits && tool.spec.description.starts_with("Count"), "{}", tool.spec.name);
        }
    }
}

#[test]
fn the_service_is_a_setting_and_needs_a_url() {
    assert!(WebResult::SERVICES.iter().any(|service| service.provider == "kiwix"));
    let read = |web| serde_json::from_value::<Services>(json!({ "web": web })).unwrap().check();
    assert!(read(json!({ "provider": "kiwix", "baseUrl": "https://kiwix.example" })).is_ok());
    assert!(read(json!({ "provider": "kiwix" })).unwrap_err().message(Locale::En).contains("Kiwix"));
}
