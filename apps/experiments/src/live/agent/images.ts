import type { IncomingUser, RenderedPrompt } from "@cm/context-log";
import {
  type AttachmentRef,
  attachmentBytes,
  attachmentId,
  isDocumentOf,
  type ObjectStore,
  sha256,
} from "@cm/object-model";

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

/** Bytes of attachments in base64: those of the prompts, which no step holds yet, and others from the store. */
export class Images {
  readonly #store: ObjectStore;
  readonly #known = new Map<string, string>();

  constructor(store: ObjectStore, prompts: readonly IncomingUser[]) {
    this.#store = store;
    for (const { attachments = [] } of prompts) {
      for (const { data } of attachments) this.#known.set(sha256(data), base64(data));
    }
  }

  /** Those of a prompt. One that was erased is empty. */
  async of({ messages }: RenderedPrompt): Promise<(attachment: AttachmentRef) => string> {
    const wanted = new Set(
      messages.flatMap(({ attachments = [] }) => attachments.map((attachment) => attachment.sha256)),
    );
    const unknown = [...wanted].filter((hash) => !this.#known.has(hash));
    for (const [id, { document }] of unknown.length === 0 ? [] : await this.#store.getMany(unknown.map(attachmentId))) {
      if (document === undefined || !isDocumentOf(document, "attachment")) continue;
      this.#known.set(id.slice(attachmentId("").length), base64(attachmentBytes(document)));
    }
    return (attachment) => this.#known.get(attachment.sha256) ?? "";
  }
}
