/** Images of attachments are stored once: in the messages, where the model reads them. */

import type { ImageContent, Message } from "copydesk";
import type { StoredAttachment, StoredRun } from "./stored.js";

/** Returns runs without the images that the messages have. */
export function withoutImages(runs: StoredRun[], messages: readonly Message[]): StoredRun[] {
  if (!runs.some(hasAttachments)) return runs;
  const data = imagesIn(messages).map((image) => image.data);
  return changed(runs, ({ image, ...attachment }) => {
    const imageAt = image ? data.indexOf(image.data) : -1;
    return imageAt < 0 ? { ...attachment, ...(image ? { image } : {}) } : { ...attachment, imageAt };
  });
}

/** Returns runs with the images that the messages have. */
export function withImages(runs: StoredRun[], messages: readonly Message[]): StoredRun[] {
  if (!runs.some(hasAttachments)) return runs;
  const images = imagesIn(messages);
  return changed(runs, ({ imageAt, ...attachment }) => {
    const image = attachment.image ?? (imageAt === undefined ? undefined : images[imageAt]);
    return { ...attachment, ...(image ? { image } : {}) };
  });
}

const hasAttachments = ({ attachments, attachedLater }: StoredRun): boolean => !!attachments || !!attachedLater;

function imagesIn(messages: readonly Message[]): ImageContent[] {
  return messages.flatMap((message) =>
    message.role === "user" && Array.isArray(message.content)
      ? message.content.filter((part) => part.type === "image")
      : [],
  );
}

function changed(runs: StoredRun[], change: (attachment: StoredAttachment) => StoredAttachment): StoredRun[] {
  return runs.map((run) => {
    if (!hasAttachments(run)) return run;
    const { attachments, attachedLater } = run;
    const later = Object.entries(attachedLater ?? {}).map(([index, all]) => [index, all.map(change)] as const);
    return {
      ...run,
      ...(attachments ? { attachments: attachments.map(change) } : {}),
      ...(attachedLater ? { attachedLater: Object.fromEntries(later) } : {}),
    };
  });
}
