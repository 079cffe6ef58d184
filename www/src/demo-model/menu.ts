/** The menus of the demo model: the actions that have a recorded run, and those that need a model. */
import { askOf, type AgentAction } from "copydesk/tiptap";
import { inAllLocales } from "../locale";

const NONE = inAllLocales(() => "");

/**
 * Returns the actions for a selected text: those with a recorded run, then one that has the others as its choices. At a
 * cursor there are no runs, which the names say.
 */
export function menuOf(actions: readonly AgentAction[], recorded: ReadonlySet<string>): readonly AgentAction[] {
  const [ready, others] = divide(
    actions.filter(({ target }) => target === "selection"),
    recorded,
  );
  const label = inAllLocales((m) => m.demo.needsModelMenu);
  const rest: AgentAction = { id: "needs-model", label, instruction: NONE, target: "selection", choices: others };
  const atCursor = actions.filter(({ target }) => target === "cursor").map(marked);
  return [...ready, ...(others.length ? [rest] : []), ...atCursor];
}

/** Divides actions into those with a recorded run and the others; an action with choices may be among both. */
function divide(actions: readonly AgentAction[], recorded: ReadonlySet<string>): [AgentAction[], AgentAction[]] {
  const [ready, others]: [AgentAction[], AgentAction[]] = [[], []];
  for (const action of actions) {
    if (!action.choices) (recorded.has(action.id) ? ready : others).push(action);
    else {
      const parts = divide(action.choices, recorded);
      for (const [at, list] of [ready, others].entries())
        if (parts[at]!.length) list.push({ ...action, choices: parts[at]! });
    }
  }
  return [ready, others];
}

function marked(action: AgentAction): AgentAction {
  return { ...action, label: inAllLocales((m, locale) => m.demo.needsModelItem(askOf(action, locale).label)) };
}
