/** The errors of a page that uses a chat route. */

export const chat = {
  stream_cut: "The stream ended before the run did. Check the connection, and send the message again.",
  document_changed:
    "The document was changed while the run was editing it, so its updates no longer fit. Make the editor read-only " +
    "during a run, or run the agent in the page.",
  bad_answer: "The server did not answer as a chat route does. Check the URL.",
};
