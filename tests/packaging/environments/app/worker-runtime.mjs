import { headless } from "./headless.mjs";

export default {
  async fetch() {
    return new Response(await headless());
  },
};
