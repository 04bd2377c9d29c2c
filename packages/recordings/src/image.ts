import type { RecordedAttachment } from "./recording.ts";

const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The bytes of an image, or undefined where `data` is no base64, such as a reference to a blob store. */
export function toAttachment(data: unknown, mime: unknown): RecordedAttachment | undefined {
  if (typeof data !== "string" || typeof mime !== "string" || !base64.test(data)) return undefined;
  return { mime, data: new Uint8Array(Buffer.from(data, "base64")) };
}

/** The bytes of an image in a data URL; undefined for one that is elsewhere. */
export function imageAtUrl(url: string | undefined): RecordedAttachment | undefined {
  const [head, mime] = /^data:([\w.+/-]{1,100});base64,/.exec(url ?? "") ?? [];
  return head === undefined ? undefined : toAttachment(url?.slice(head.length), mime);
}

/** Collects images and counts those that the recording only refers to or that have no event to stand with. */
export class ImageCount {
  #missing = 0;

  /** The readable ones of `images`; the others are counted. */
  readable(images: readonly (RecordedAttachment | undefined)[]): readonly RecordedAttachment[] {
    const readable = images.filter((image) => image !== undefined);
    this.#missing += images.length - readable.length;
    return readable;
  }

  leaveOut(images: readonly unknown[]): void {
    this.#missing += images.length;
  }

  warnings(): readonly string[] {
    if (this.#missing === 0) return [];
    return [`${this.#missing === 1 ? "1 image is" : `${this.#missing} images are`} not in the recording and left out.`];
  }
}
