// Renders the app as a server does, without a DOM and without Lit.
import { render } from "./framework.js";

console.log(await render());
