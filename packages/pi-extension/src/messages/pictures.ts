import { type AttachmentRef, sha256 } from "@cm/object-model";
import type { BranchItem } from "../branch/branch-item.ts";
import type { PiImage } from "../pi/pi-types.ts";

/** The pictures of a branch by the hash under which the session knows them. */
export class Pictures {
  readonly #byHash = new Map<string, PiImage>();
  readonly #read = new Set<string>();

  /** From the end: what lies before an entry was read with it, since entries have one parent. */
  learn(items: readonly BranchItem[]): void {
    for (let place = items.length - 1; place >= 0; place -= 1) {
      const item = items[place];
      if (item === undefined || this.#read.has(item.entry)) return;
      const { entry, message } = item;
      this.#read.add(entry);
      if (!("content" in message) || typeof message.content === "string") continue;
      for (const block of message.content) {
        if (block.type === "image") this.#byHash.set(sha256(Buffer.from(block.data, "base64")), block);
      }
    }
  }

  of(attachments: readonly AttachmentRef[] = []): readonly PiImage[] {
    return attachments.flatMap(({ sha256: hash }) => {
      const image = this.#byHash.get(hash);
      return image === undefined ? [] : [{ ...image }];
    });
  }
}
