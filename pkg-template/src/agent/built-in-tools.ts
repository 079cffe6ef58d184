/**
 * The built-in tools: the part of an agent that they work on, and what their calls do. `COPYDESK_UPDATE=1 cargo test --test
 * typescript` writes this module from `BUILT_IN` of crates/agent.
 */

export const BUILT_IN_TOOLS = {
  get_document: { subject: "document", does: "read" },
  read_lines: { subject: "document", does: "read" },
  edit_current_editor_document: { subject: "document", does: "write" },
  replace_text: { subject: "document", does: "write" },
  set_attributes: { subject: "document", does: "write" },
  update_section: { subject: "document", does: "write" },
  insert_image: { subject: "document", does: "image" },
  move_section: { subject: "document", does: "write" },
  read_file: { subject: "files", does: "read" },
  write_file: { subject: "workspace", does: "write" },
  list_files: { subject: "workspace", does: "list" },
  write_chapter: { subject: "workspace", does: "write" },
  edit_file: { subject: "workspace", does: "write" },
  search_files: { subject: "workspace", does: "search" },
  search_content: { subject: "workspace", does: "search" },
  verify_strict_timeline: { subject: "workspace", does: "check" },
  verify_strict_references: { subject: "workspace", does: "check" },
  search_web: { subject: "outside", does: "search" },
  search_image: { subject: "outside", does: "search" },
  activate_skill: { subject: "skills", does: "skill" },
  read_more: { subject: "outside", does: "read" },
} as const;
