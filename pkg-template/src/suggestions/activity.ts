/** What an agent does while it runs, as the others in a room see it. */
export type AgentActivity = "thinking" | "reading" | "writing";
