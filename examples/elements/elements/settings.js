import { llmConfigOf, settingsOf } from "copydesk/assistant";

const settings = document.createElement("copydesk-settings");
settings.settings = settingsOf("anthropic");
settings.addEventListener("settings-save", ({ detail }) => console.log(llmConfigOf(detail.settings)));
export default settings;
