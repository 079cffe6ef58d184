/** The panels of the left column. Each is made when it is shown first. */
import type { Editor } from "@tiptap/core";
import "copydesk/ui/outline";
import { html, render } from "lit";
import { findInDocument } from "./find/panel-button";
import type { Layout } from "./layout";
import type { ProjectView } from "./project/project";
import type { Session } from "./session";

interface PanelsOptions {
  layout: Layout;
  editor: Editor;
  session: Session;
  /** Loads what files need. */
  project: () => Promise<ProjectView>;
  /** True once the user has a place for files. */
  hasFiles: () => boolean;
  /** Opens the search in the document. */
  find: () => void;
}

export function registerOutline({ side, closeOutline }: Layout, editor: Editor): void {
  side.register({
    id: "outline",
    icon: "outline",
    name: (m) => m.outline,
    mount: (panel) => {
      render(html`<copydesk-outline .editor=${editor} @section-select=${closeOutline}></copydesk-outline>`, panel);
    },
  });
}

export function registerPanels({ layout, editor, session, project, hasFiles, find }: PanelsOptions): void {
  const { side } = layout;
  registerOutline(layout, editor);
  side.register({
    id: "files",
    icon: "files",
    name: (m) => m.files.tab,
    wide: true,
    edits: true,
    mount: async (panel) => (await project()).mountFiles(panel),
  });
  side.register({
    id: "search",
    icon: "search",
    name: (m) => m.files.searchTab,
    wide: true,
    edits: true,
    mount: async (panel) => (await project()).mountSearch(panel, (m) => findInDocument(m, find)),
  });
  side.register({
    id: "checks",
    icon: "checks",
    name: (m) => m.files.checksTab,
    wide: true,
    edits: true,
    mount: async (panel) => (await project()).mountChecks(panel),
  });
  side.register({
    id: "assistant",
    icon: "skills",
    name: (m) => m.plugins.tab,
    wide: true,
    edits: true,
    mount: async (panel) => {
      const { mountAdditions } = await import("./plugins/mount");
      if (hasFiles()) await project();
      mountAdditions(panel, {
        additions: session.additions,
        useFiles: project,
        openFile: (detail) => void project().then((files) => files.open(detail)),
      });
    },
  });
}
