/** The language of the code blocks that hold source which the schema has no node for. */
export const SOURCE_LANGUAGE = "markdown-source";

/** The type of nodes of the tree that are written as they are. */
export const SOURCE_NODE = "source";
