import { init, Document } from "copydesk";

/** Loads copydesk and reads a document; a failure is returned as code and message. */
window.load = async (source) => {
  try {
    await init(source);
    return Document.fromHTML("<p>a</p>").toHTML();
  } catch (error) {
    return { code: error.code, message: error.message };
  }
};
