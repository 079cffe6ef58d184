// Exports in a page. What the print dialog would show is kept in `printed`.
import * as exports from "copydesk/export";

const { get } = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, "contentWindow");
window.printed = [];
Object.defineProperty(HTMLIFrameElement.prototype, "contentWindow", {
  get() {
    const view = get.call(this);
    view.print = () => {
      const images = [...view.document.images].map(({ complete, naturalWidth }) => complete && naturalWidth);
      printed.push({ title: view.document.title, text: view.document.body.innerText, images, frames: document.querySelectorAll("iframe").length });
      view.dispatchEvent(new Event("afterprint"));
    };
    return view;
  },
});

window.files = exports;

/** Exports with one of the functions; a file becomes its length. */
window.make = async (name, ...given) => {
  const made = await exports[name](...given);
  return made?.bytes ? { ...made, bytes: made.bytes.length } : made;
};
window.ready = true;
