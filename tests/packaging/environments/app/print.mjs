import { headless } from "./headless.mjs";

console.log(await headless());
