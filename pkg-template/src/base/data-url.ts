/** Data URLs of files. */

/** Arguments that a function may get. */
const AT_ONCE = 0x8000;

/** Returns the content of a blob as a data URL. */
export async function dataURL(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let binary = "";
  for (let at = 0; at < bytes.length; at += AT_ONCE) {
    binary += String.fromCharCode(...bytes.subarray(at, at + AT_ONCE));
  }
  return `data:${blob.type || "application/octet-stream"};base64,${btoa(binary)}`;
}
