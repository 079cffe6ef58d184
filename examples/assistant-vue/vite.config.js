import vue from "@vitejs/plugin-vue";
import { defineConfig } from "vite";

const { PORT = "5173" } = process.env;
const server = { host: "127.0.0.1", port: Number(PORT) };

export default defineConfig({
  plugins: [vue()],
  server,
  preview: server,
  build: { target: "es2022", chunkSizeWarningLimit: 5000 },
});
