/**
 * The types of nodes with each trait, by all their names. `COPYDESK_UPDATE=1 cargo test --test typescript` writes this module
 * from `NODES` of crates/document.
 */

export const NODE_TYPES = {
  list: ["bulletList", "bullet_list", "orderedList", "ordered_list", "taskList"],
  item: ["listItem", "list_item", "taskItem"],
  cell: ["tableCell", "table_cell", "tableHeader", "table_header"],
  raw: ["codeBlock", "code_block"],
  inline: ["hardBreak", "hard_break", "text", "mention", "inlineMath", "emoji"],
  lineBreak: ["hardBreak", "hard_break"],
} as const;
