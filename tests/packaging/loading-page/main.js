import { init, Document } from "copydesk";

/** Loads copydesk and takes a document through it; what went wrong comes back as code and message. */
window.load = async (source) => {
  try {
    await init(source);
    return Document.fromHTML("<p>a</p>").toHTML();
  } catch (error) {
    return { code: error.code, message: error.message };
  }
};
