//! The settings and tools of a run. They are replaced before a request if the app has changed them since the last one.

use super::event::EventKind;
use super::hooks;
use super::options::AgentOptions;
use super::redact::redacted_tool;
use super::run::Run;
use super::{Agent, skills};
use crate::Error;
use crate::messages;
use crate::prompt::{Rule, shown_rules};
use crate::skills::Skill;
use crate::tools::{self, Tool};
use copydesk_base::locale::Locale;
use copydesk_base::phrases;
use copydesk_document::words::shorten;
use copydesk_edit::guard::Lossless;
use copydesk_llm::Message;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The most names of a list in a note.
const MOST_NAMED: usize = 8;

/// The settings of the app, and the tools that follow from them.
#[derive(Clone)]
pub(super) struct Settings {
    pub options: Rc<AgentOptions>,
    /// The tools of the app that they were made with.
    own: Rc<[Tool]>,
    /// All tools, in the order in which the model is told them.
    pub tools: Rc<[Tool]>,
}

impl Settings {
    /// Returns the current settings of an agent.
    pub(super) fn of(agent: &Agent) -> Settings {
        let (options, own) = (agent.0.options.borrow().clone(), agent.0.tools.borrow().clone());
        let redacted = |tool: Tool| if tool.policy.external { redacted_tool(tool, agent.secrets()) } else { tool };
        let mut tools: Vec<Tool> =
            tools::all(&agent.subjects(&options), options.locale, &own).into_iter().map(redacted).collect();
        if agent.0.document.guards().lossless == Lossless::Reject {
            tools = tools::with_confirm_drop(tools, options.locale);
        }
        Settings { options, own, tools: tools.into() }
    }

    /// Returns whether the app has a tool of this name.
    fn has_own(&self, name: &str) -> bool {
        self.own.iter().any(|tool| tool.spec.name == name)
    }

    fn are_current(&self, agent: &Agent) -> bool {
        Rc::ptr_eq(&self.options, &agent.0.options.borrow()) && Rc::ptr_eq(&self.own, &agent.0.tools.borrow())
    }
}

impl Run<'_> {
    /// Returns the settings of the last request, or of the start of the run.
    pub(super) fn options(&self) -> Rc<AgentOptions> {
        self.settings.borrow().options.clone()
    }

    /// Returns the tools of the last request.
    pub(super) fn tools(&self) -> Rc<[Tool]> {
        self.settings.borrow().tools.clone()
    }

    /// Updates the settings for the next request: waits for the plugins of the app, and applies changes. The model is
    /// told of changes after its first answer of the run.
    pub(super) async fn update_settings(&self) -> Result<(), Error> {
        let plugins = messages::THE_PLUGINS.text(self.options().locale);
        self.in_run(plugins, hooks::prepare(self.agent.0.hooks.as_ref())).await?;
        let before = self.settings.borrow().clone();
        if before.are_current(self.agent) {
            return Ok(());
        }
        let now = Settings::of(self.agent);
        self.settings.replace(now.clone());
        self.agent.0.prices.set(now.options.llm_config.model.cost);
        self.check_settings()?;
        if self.has_answered.get()
            && let Some(changes) = changes(&before, &now)
        {
            let head = messages::SETTINGS_CHANGED.text(now.options.locale);
            // Not the user's own words, so URLs in it do not become known.
            self.agent.push(Message::Note { content: format!("{head}{changes}") });
            self.agent.emit(EventKind::Notice { code: "settings_changed".into(), message: changes });
        }
        Ok(())
    }

    /// Fails if no request can be made with the settings. Reports, once, rules that are too long
    /// and skills that are too many.
    pub(super) fn check_settings(&self) -> Result<(), Error> {
        let options = self.options();
        options.llm_config.check()?;
        options.services.check()?;
        self.check_approvals()?;
        let told = self.agent.0.rules_told.replace(options.rules.clone());
        if told != options.rules
            && let Some(message) = shown_rules(&options.rules).notice(options.locale)
        {
            self.agent.emit(EventKind::Notice { code: "rules_shortened".into(), message });
        }
        let count = options.skills.len();
        if self.agent.0.skills_told.replace(count) != count
            && let Some(message) = skills::notice(count, options.locale)
        {
            self.agent.emit(EventKind::Notice { code: "skills_left_out".into(), message });
        }
        Ok(())
    }

    /// Returns the skills whose text the model is given without a call.
    pub(super) fn shown_skills(&self) -> skills::Shown {
        let options = self.options();
        let active = skills::summarized_skills(&self.agent.0.messages.borrow());
        let share = skills::budget(self.window());
        skills::Shown::of(&options.skills, &active, options.skill_tokens.unwrap_or(share), share)
    }
}

/// Describes the rules, skills and tools that differ, in one line; `None` if none does.
fn changes(before: &Settings, now: &Settings) -> Option<String> {
    let locale = now.options.locale;
    let skill = |skill: &Skill| skill.name.clone();
    let tool = |tool: &Tool| tool.spec.name.clone();
    let mut said: Vec<String> = rule_changes(&before.options.rules, &now.options.rules, locale).into_iter().collect();
    let lists = [
        (
            messages::SKILLS.text(locale),
            before.options.skills.iter().map(skill).collect::<BTreeSet<_>>(),
            now.options.skills.iter().map(skill).collect::<BTreeSet<_>>(),
        ),
        (messages::TOOLS.text(locale), before.tools.iter().map(tool).collect(), now.tools.iter().map(tool).collect()),
    ];
    for (kind, old, new) in &lists {
        let [added, removed] = [named(new.difference(old), locale), named(old.difference(new), locale)];
        said.extend(added.map(|names| messages::KindAdded { kind: &kind, names: &names }.text(locale)));
        said.extend(removed.map(|names| messages::KindRemoved { kind: &kind, names: &names }.text(locale)));
    }
    let rewritten = now.options.skills.iter().filter(|skill| {
        let old = before.options.skills.iter().find(|old| old.name == skill.name);
        old.is_some_and(|old| old != *skill)
    });
    let rewritten = named(rewritten.map(|skill| &skill.name), locale);
    said.extend(rewritten.map(|names| messages::SkillsRewritten { names: &names }.text(locale)));
    let redefined = now.tools.iter().filter(|tool| {
        // Those of copydesk are in another language after a change of it.
        let old = before.tools.iter().find(|old| old.spec.name == tool.spec.name);
        old.is_some_and(|old| old.spec != tool.spec) && [before, now].iter().all(|one| one.has_own(&tool.spec.name))
    });
    let redefined = named(redefined.map(|tool| &tool.spec.name), locale);
    said.extend(redefined.map(|names| messages::ToolsRedefined { names: &names }.text(locale)));
    (!said.is_empty()).then(|| said.join(phrases::semicolon(locale)))
}

/// Describes the enabled rules that differ.
fn rule_changes(before: &[Rule], now: &[Rule], locale: Locale) -> Option<String> {
    let (old, new) = (enabled_by_id(before), enabled_by_id(now));
    let in_neither = |one: &RulesById, other: &RulesById| one.keys().filter(|key| !other.contains_key(*key)).count();
    let (added, removed) = (in_neither(&new, &old), in_neither(&old, &new));
    let is_changed = |(key, (_, text)): &(&RuleKey, &(usize, &str))| old.get(*key).is_some_and(|(_, old)| old != text);
    let changed = new.iter().filter(is_changed).count();
    let counts = [
        (added, messages::RulesAdded { count: &added }.text(locale)),
        (removed, messages::RulesRemoved { count: &removed }.text(locale)),
        (changed, messages::RulesRewritten { count: &changed }.text(locale)),
    ];
    let counts: Vec<String> = counts.into_iter().filter(|(count, _)| *count > 0).map(|(_, said)| said).collect();
    if counts.is_empty() {
        // The same rules in another order have other numbers.
        return (old != new).then(|| messages::RULES_REORDERED.text(locale).to_owned());
    }
    let counts = counts.join(messages::COUNT_COMMA.text(locale));
    Some(messages::RulesChanged { counts: &counts }.text(locale))
}

/// The id of a rule, and how many enabled ones with that id come before it: an app and a plugin may use the same.
type RuleKey<'a> = (&'a str, usize);
/// The place among the enabled rules, and the text.
type RulesById<'a> = BTreeMap<RuleKey<'a>, (usize, &'a str)>;

fn enabled_by_id(rules: &[Rule]) -> RulesById<'_> {
    let mut same: BTreeMap<&str, usize> = BTreeMap::new();
    let mut all = RulesById::new();
    for (at, rule) in rules.iter().filter(|rule| rule.enabled).enumerate() {
        let count = same.entry(&rule.id).or_default();
        all.insert((&rule.id, *count), (at, &rule.text));
        *count += 1;
    }
    all
}

fn named<'a>(names: impl Iterator<Item = &'a String>, locale: Locale) -> Option<String> {
    let names: Vec<String> = names.map(|name| shorten(name, 64)).collect();
    let more = names.len().saturating_sub(MOST_NAMED);
    let listed = names[..names.len() - more].join(phrases::comma(locale));
    match (names.len(), more) {
        (0, _) => None,
        (_, 0) => Some(listed),
        _ => Some(messages::AndMore { listed: &listed, more: &more }.text(locale)),
    }
}
