import type { IncomingAttachment, RenderedPrompt } from "@cm/context-log";
import {
  type AttachmentRef,
  attachmentBytes,
  attachmentId,
  isDocumentOf,
  type ObjectStore,
  sha256,
} from "@cm/object-model";
import type { PictureOf } from "./pi-messages.ts";

/** Pictures of a session by their hash: those of this run, which no step may hold yet, and others from the store. */
export class Pictures {
  readonly #store: ObjectStore;
  readonly #known = new Map<string, string>();

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  learn(attachments: readonly IncomingAttachment[]): void {
    for (const { data } of attachments) this.#known.set(sha256(data), Buffer.from(data).toString("base64"));
  }

  /** Those of a prompt. One that was erased is left out. */
  async of({ messages }: RenderedPrompt): Promise<PictureOf> {
    const wanted = new Set(messages.flatMap(({ attachments = [] }) => attachments.map(({ sha256: hash }) => hash)));
    const unknown = [...wanted].filter((hash) => !this.#known.has(hash));
    for (const [id, { document }] of unknown.length === 0 ? [] : await this.#store.getMany(unknown.map(attachmentId))) {
      if (document === undefined || !isDocumentOf(document, "attachment")) continue;
      this.#known.set(id.slice(attachmentId("").length), Buffer.from(attachmentBytes(document)).toString("base64"));
    }
    return ({ sha256: hash, mime }: AttachmentRef) => {
      const data = this.#known.get(hash);
      return data === undefined ? undefined : { type: "image", data, mimeType: mime };
    };
  }
}
