/** The user's own images. */
import { LocalImages } from "copydesk/insert";

export const ownImages = new LocalImages({ serviceWorker: "local-images.js" });
