import { type AttachmentRef, sha256 } from "@cm/object-model";
import type { BranchItem } from "../branch/branch-item.ts";
import type { PiImage } from "../pi/pi-types.ts";

/** The pictures of a branch by the hash under which the session knows them. */
export class Pictures {
  readonly #byHash = new Map<string, PiImage>();
  readonly #read = new Set<string>();

  learn(items: readonly BranchItem[]): void {
    for (const { entry, message } of items) {
      if (this.#read.has(entry)) continue;
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
