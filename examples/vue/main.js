import { createApp } from "vue";
import Writer from "./Writer.vue";

createApp(Writer).mount("main");
