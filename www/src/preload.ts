/** Tells the script of the page that this one has arrived: the wasm is loaded after it, not beside it. */
document.dispatchEvent(new Event("copydesk:script"));
