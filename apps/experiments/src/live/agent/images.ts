import {
  type AttachmentRef,
  attachmentBytes,
  attachmentId,
  isDocumentOf,
  type ObjectStore,
  type RenderedPrompt,
} from "@cm/object-model";

/** Bytes of attachments in base64, read from the store once. An erased one is empty. */
export class Images {
  readonly #store: ObjectStore;
  readonly #known = new Map<string, string>();

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /** Those of a prompt. */
  async of({ messages }: RenderedPrompt): Promise<(attachment: AttachmentRef) => string> {
    const wanted = new Set(messages.flatMap(({ attachments = [] }) => attachments.map(({ sha256 }) => sha256)));
    const unknown = [...wanted].filter((sha256) => !this.#known.has(sha256));
    const found = unknown.length === 0 ? new Map() : await this.#store.getMany(unknown.map(attachmentId));
    for (const sha256 of unknown) {
      const document = found.get(attachmentId(sha256))?.document;
      const bytes = document !== undefined && isDocumentOf(document, "attachment") ? attachmentBytes(document) : [];
      this.#known.set(sha256, Buffer.from(bytes).toString("base64"));
    }
    return ({ sha256 }) => this.#known.get(sha256) ?? "";
  }
}
