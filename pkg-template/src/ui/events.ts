/** The events of the elements. They bubble, and leave shadow trees. */

import type { EditMode } from "../assistant/controller.js";
import type { ModelSettings } from "../model-settings/settings.js";

export interface CopydeskEvents {
  /** A message is about to be sent; after `preventDefault()` it is not. */
  message: CustomEvent<{ text: string }>;
  /** The user has allowed or denied a call; after `preventDefault()` it waits still. */
  approval: CustomEvent<{ toolId: string; approved: boolean }>;
  /** The user has chosen an edit mode. */
  "mode-change": CustomEvent<{ mode: EditMode }>;
  /** Another conversation is shown. */
  "conversation-change": CustomEvent<{ id: string }>;
  /** The user wants the settings of the model, which are the page's own. */
  "open-settings": CustomEvent<Record<string, never>>;
  /** The user has chosen a section of the outline; after `preventDefault()` the document does not scroll to it. */
  "section-select": CustomEvent<{ number: number; title: string }>;
  /** The user has saved settings, which are valid. */
  "settings-save": CustomEvent<{ settings: ModelSettings }>;
  /** The user has given up the settings that were entered. */
  "settings-cancel": CustomEvent<Record<string, never>>;
}
