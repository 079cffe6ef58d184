import { assistant } from "../page.js";

const composer = document.createElement("copydesk-composer");
composer.assistant = assistant;
composer.addEventListener("mode-change", ({ detail }) => console.log(detail.mode));
export default composer;
