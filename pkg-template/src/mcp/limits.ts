/** Limits of what a server may send, and of its time. */

/** Tools of one server, and of all servers together: providers accept 128 tools, those of the agent included. */
export const MOST_TOOLS = 64;
export const MOST_TOOLS_IN_ALL = 96;
/** Tools of one server that are read, usable or not. */
export const MOST_TOOLS_READ = 256;
/** Pages of a list of tools. */
export const MOST_PAGES = 20;
/** Characters of a description of a tool. */
export const LONGEST_DESCRIPTION = 2_000;
/** Characters of the JSON Schema of a tool, as the model gets it. */
export const LONGEST_SCHEMA = 20_000;
/** Characters of all descriptions and schemas together: they are sent with every request of the model. */
export const LONGEST_TOOLS = 120_000;
/** Bytes of a message of a server, be it a body, an event of a stream, or a line of a process. */
export const LARGEST_MESSAGE = 10_000_000;
/** Characters of what a server says in a message to the user or in a progress report. */
export const LONGEST_QUOTE = 300;
/** Calls of one server that run at the same time. */
export const MOST_CALLS = 4;
/** Questions of a server to the user while it has calls, and the characters of one with its form. */
export const MOST_QUESTIONS = 10;
export const LONGEST_QUESTION = 20_000;
/** Progress reports of a call that are passed on. */
export const MOST_REPORTS = 1_000;

/** The default of `timeoutMs`, in milliseconds. */
export const CONNECT_MS = 10_000;
/** Duration of a request that finds out why another one failed, in milliseconds. */
export const PROBE_MS = 3_000;
/** Duration of saying goodbye to a server, in milliseconds. */
export const CLOSE_MS = 2_000;
/** The longest time that a timer can be set to. The agent limits the duration of calls. */
export const LONGEST_MS = 0x7fffffff;
/** Pauses between attempts to connect: the first, doubled each time up to the last. */
export const FIRST_PAUSE_MS = 1_000;
export const LAST_PAUSE_MS = 60_000;
/** The least pause between two lists of tools that a server announces. */
export const LIST_PAUSE_MS = 100;
/** Duration after which a connection counts as stable: when it is lost, the pauses begin again with the first. */
export const STABLE_MS = 30_000;
/** Attempts by timer after a failure. After them, a server is tried when a run needs it. */
export const MOST_ATTEMPTS = 6;
