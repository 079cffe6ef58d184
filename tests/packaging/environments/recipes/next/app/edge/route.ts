import { headless } from "../../headless.mjs";

export const runtime = "edge";

export async function GET() {
  return new Response(await headless());
}
