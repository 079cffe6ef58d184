/** The panels of a workspace, as custom elements. Each has the property `workspace`. */
import "./panels.css";
import { FilesPanel } from "./files-panel";
import { VersionsView } from "./versions-view";

export { PanelElement, type OpenFileDetail } from "./element";
export { diffView } from "./diff-view";
export { pickFolder } from "./transfer";
export { wordsIn } from "./words";
export { FilesPanel, VersionsView };

const ELEMENTS = {
  "copydesk-files": FilesPanel,
  "copydesk-versions": VersionsView,
};

/** Defines the elements; a second call does nothing. */
export function definePanels(): void {
  for (const [name, element] of Object.entries(ELEMENTS)) {
    if (!customElements.get(name)) customElements.define(name, element);
  }
}
