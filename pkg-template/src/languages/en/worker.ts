/** The errors of an agent in a worker. */

export const worker = {
  busy: "The agent is still working. Wait until it has finished, or stop it first.",
  notLoaded: (reason: string) =>
    `The agent's worker could not be loaded: ${reason}. Its script must be a module that calls serveAgents(self): ` +
    'new Worker(url, { type: "module" }). Check the URL, and create another worker and agent.',
  stopped: (reason: string) =>
    `The agent's worker has stopped: ${reason}. Applied edits are kept. Create another worker and agent, and give ` +
    "that agent the messages of this one (agent.messages).",
};
