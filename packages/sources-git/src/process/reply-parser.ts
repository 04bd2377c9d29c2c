import { limits } from "../limits.ts";
import { reasons, Trouble } from "../reasons.ts";

/** The question of the next reply. `bytesMax` is the size that git announced: never more is read. */
export interface Expected {
  readonly command: "info" | "contents";
  readonly name: string;
  readonly bytesMax: number;
}

export type Reply =
  | { readonly kind: "missing" }
  | { readonly kind: "info"; readonly id: string; readonly type: string; readonly size: number }
  | { readonly kind: "contents"; readonly id: string; readonly type: string; readonly bytes: Buffer };

interface Body {
  readonly id: string;
  readonly type: string;
  readonly bytes: Buffer;
  filled: number;
}

const newline = 0x0a;
const header = /^([0-9a-f]{40}|[0-9a-f]{64}) (commit|tree|blob|tag) (0|[1-9]\d{0,15})$/;

/**
 * Reads the replies of `git cat-file --batch-command` from bytes that come in pieces of any size. Content is counted,
 * never searched, so that nothing in it can pass for a reply.
 */
export class ReplyParser {
  readonly #next: () => Expected | undefined;
  readonly #onReply: (reply: Reply) => void;
  #line: Buffer[] = [];
  #lineBytes = 0;
  #body: Body | undefined;

  /** `next` gives the oldest question without a reply. */
  constructor(next: () => Expected | undefined, onReply: (reply: Reply) => void) {
    this.#next = next;
    this.#onReply = onReply;
  }

  /** @throws Trouble for bytes that are no reply to what was asked; nothing after that can be trusted */
  feed(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) rest = this.#body === undefined ? this.#readLine(rest) : this.#readBody(this.#body, rest);
  }

  #readLine(chunk: Buffer): Buffer {
    const end = chunk.indexOf(newline);
    const piece = end < 0 ? chunk : chunk.subarray(0, end);
    this.#lineBytes += piece.length;
    if (this.#lineBytes > limits.replyLineBytesMax) throw new Trouble(reasons.gitUnclear);
    this.#line.push(piece);
    if (end < 0) return chunk.subarray(chunk.length);
    const line = Buffer.concat(this.#line).toString("utf8");
    this.#line = [];
    this.#lineBytes = 0;
    this.#startReply(line);
    return chunk.subarray(end + 1);
  }

  #startReply(line: string): void {
    const expected = this.#next();
    if (expected === undefined) throw new Trouble(reasons.gitUnclear);
    // A name that ends like the output of `git describe` can be ambiguous, which is no answer either.
    if (line === `${expected.name} missing` || line === `${expected.name} ambiguous`) {
      this.#onReply({ kind: "missing" });
      return;
    }
    const [, id = "", type = "", digits = ""] = header.exec(line) ?? [];
    const size = Number(digits);
    if (id === "" || !Number.isSafeInteger(size)) throw new Trouble(reasons.gitUnclear);
    if (expected.command === "info") {
      this.#onReply({ kind: "info", id, type, size });
      return;
    }
    if (size > expected.bytesMax) throw new Trouble(reasons.gitUnclear);
    this.#body = { id, type, bytes: Buffer.allocUnsafe(size), filled: 0 };
  }

  #readBody(body: Body, chunk: Buffer): Buffer {
    const wanted = body.bytes.length - body.filled;
    if (wanted > 0) {
      const copied = chunk.copy(body.bytes, body.filled, 0, Math.min(wanted, chunk.length));
      body.filled += copied;
      return chunk.subarray(copied);
    }
    if (chunk[0] !== newline) throw new Trouble(reasons.gitUnclear);
    this.#body = undefined;
    this.#onReply({ kind: "contents", id: body.id, type: body.type, bytes: body.bytes });
    return chunk.subarray(1);
  }
}
