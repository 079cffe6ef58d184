import { init, Document } from "copydesk";

init().then(
  () => postMessage(Document.fromHTML("<p>a</p>").toHTML()),
  ({ code, message }) => postMessage({ code, message }),
);
