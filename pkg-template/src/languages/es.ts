/**
 * `copydesk/languages/es`: Spanish.
 *
 * The forms of address (tú), capital letters and verbs in titles follow Mozilla's style guide for Spanish
 * (https://mozilla-l10n.github.io/styleguides/es/). Words for software were checked against KDE's Spanish glossary
 * (https://invent.kde.org/sdk/pology, `lang/es/rules/kde-l10n-es.rules`).
 */

import type { Language } from "./languages.js";
import { actions, ready } from "./es/actions.js";
import { additions } from "./es/additions.js";
import { plugins, webmcp, worker } from "./es/agents.js";
import { attachmentSentences, attachments } from "./es/attachments.js";
import { comments, commentTools } from "./es/comments.js";
import { completion } from "./es/completion.js";
import { conversation } from "./es/conversation.js";
import { insert } from "./es/insert.js";
import { mcp } from "./es/mcp.js";
import messages from "./es/wasm-messages.js";
import { panels } from "./es/panels.js";
import { nodes } from "./es/nodes.js";
import { markdown, publication } from "./es/publication.js";
import { review, suggestions } from "./es/review.js";
import { chat, route } from "./es/route.js";
import { rowDetails } from "./es/row-details.js";
import { skills } from "./es/skills.js";
import { workspace } from "./es/workspace.js";

export const es: Language = {
  tag: "es",
  messages,
  words: {
    conversation,
    panels,
    attachments,
    rowDetails,
    ready,
    actions,
    additions,
    attachmentSentences,
    chat,
    commentTools,
    comments,
    completion,
    insert,
    markdown,
    mcp,
    nodes,
    plugins,
    publication,
    review,
    route,
    skills,
    suggestions,
    webmcp,
    worker,
    workspace,
  },
};
