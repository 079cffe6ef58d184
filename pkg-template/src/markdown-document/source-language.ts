/** The language of the code blocks that hold source which the schema has no node for. */
export const SOURCE_LANGUAGE = "markdown-source";
