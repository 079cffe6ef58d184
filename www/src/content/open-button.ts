/** Buttons that open a picker for files. */
import { TEXT_FILES } from "copydesk/insert";
import { html, nothing, type TemplateResult } from "lit";
import { keepSelection } from "../draw";
import { icon, type IconName } from "../icons";
import type { Messages } from "../locale";

interface PickerOptions {
  accept: string;
  multiple?: boolean;
  look: IconName;
  name: string;
  onFiles: (files: File[]) => void;
  tabIndex?: number;
}

export const openButton = (m: Messages, onFiles: (files: File[]) => void) =>
  pickerButton({ accept: TEXT_FILES, look: "open", name: m.openDocument, onFiles });

export const imageButton = (m: Messages, tabIndex: number, onFiles: (files: File[]) => void) =>
  pickerButton({ accept: "image/*", multiple: true, look: "image", name: m.image, onFiles, tabIndex });

function pickerButton({ accept, multiple, look, name, onFiles, tabIndex }: PickerOptions): TemplateResult {
  const open = ({ currentTarget }: Event) =>
    ((currentTarget as Element).previousElementSibling as HTMLInputElement).click();
  const picked = ({ currentTarget }: Event) => {
    const picker = currentTarget as HTMLInputElement;
    onFiles([...(picker.files ?? [])]);
    picker.value = "";
  };
  return html`<input type="file" accept=${accept} ?multiple=${multiple} hidden tabindex="-1" @change=${picked} /><button
      type="button"
      class="tool"
      aria-label=${name}
      title=${name}
      tabindex=${tabIndex ?? nothing}
      @mousedown=${keepSelection}
      @click=${open}
    >
      ${icon(look)}
    </button>`;
}
