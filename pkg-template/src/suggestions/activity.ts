/** The activity of a running agent, as the others in a room see it. */
export type AgentActivity = "thinking" | "reading" | "writing";
