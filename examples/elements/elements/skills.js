import { skills } from "copydesk/skills";

const sources = document.createElement("copydesk-skills");
Object.assign(sources, { sources: [], plugin: skills([]) });
export default sources;
