/** Files that are dropped beside the document: without this the browser leaves the page to show them. */

/** Gives files that nothing else on the page takes to `take`. */
export function takeDroppedFiles(take: (files: File[]) => void): void {
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") === true;
  addEventListener("dragover", (event) => {
    if (event.defaultPrevented || !hasFiles(event)) return;
    event.preventDefault();
    event.dataTransfer!.dropEffect = "copy";
  });
  addEventListener("drop", (event) => {
    if (event.defaultPrevented || !hasFiles(event)) return;
    event.preventDefault();
    take([...event.dataTransfer!.files]);
  });
}
