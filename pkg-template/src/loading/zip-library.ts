/** The library that reads and writes zip files. It is loaded with the first one. */

import type { ZipWriterConstructorOptions } from "@zip.js/zip.js";

/** Returns the library in the form that uses the platform's own compression where there is any. */
export const loadZip = () => import("@zip.js/zip.js/lib/zip-core-native.js");

/** Options for all files: they can be read by programs that know only the first version of the format. */
export const PLAIN: ZipWriterConstructorOptions = {
  useWebWorkers: false,
  dataDescriptor: false,
  extendedTimestamp: false,
};
