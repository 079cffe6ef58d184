/** `copydesk/parts` during development, in one file: development servers that bundle dependencies leave the files behind. */

import { page as whole } from "./loading/page-build.js";
import type { Build } from "./loading/build.js";

export const page: Build = whole;
