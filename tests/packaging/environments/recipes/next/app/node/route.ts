import { headless } from "../../headless.mjs";

export const dynamic = "force-dynamic";

export async function GET() {
  return new Response(await headless());
}
