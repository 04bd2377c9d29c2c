import { limits } from "../limits.ts";
import type { ReceivedBytes } from "./received-bytes.ts";

/** One request or reply of HTTP/1.1, whole, as it came. */
export interface HttpMessage {
  readonly startLine: string;
  /** Names in lower case; of repeated headers the last one. */
  readonly headers: ReadonlyMap<string, string>;
  /** Start line and headers with the empty line behind them. */
  readonly head: Buffer;
  /** The body as it stood on the wire, chunk sizes included. */
  readonly framedBody: Buffer;
  /** The body itself. */
  readonly body: Buffer;
  /** True when only the end of the connection ends the body. */
  readonly untilEnd: boolean;
}

/** The next request of a connection; undefined when the client ended the connection before one began. */
export async function readRequest(bytes: ReceivedBytes, onContinue: () => void): Promise<HttpMessage | undefined> {
  if (await bytes.atEnd()) return undefined;
  const head = await readHead(bytes);
  if (head.headers.get("expect")?.toLowerCase() === "100-continue") onContinue();
  return { ...head, ...(await readBody(bytes, head.headers, "none")) };
}

/** The reply to a request with this method; replies in between (status 1xx) are dropped. */
export async function readReply(bytes: ReceivedBytes, method: string): Promise<HttpMessage> {
  let head = await readHead(bytes);
  while (statusOf(head) >= 100 && statusOf(head) < 200) head = await readHead(bytes);
  const bodiless = method === "HEAD" || statusOf(head) === 204 || statusOf(head) === 304;
  const body = bodiless ? noBody : await readBody(bytes, head.headers, "until-end");
  return { ...head, ...body };
}

export const statusOf = ({ startLine }: Pick<HttpMessage, "startLine">): number => Number(startLine.split(" ")[1]);

type Head = Pick<HttpMessage, "startLine" | "headers" | "head">;
type Body = Pick<HttpMessage, "framedBody" | "body" | "untilEnd">;

const noBody: Body = { framedBody: Buffer.alloc(0), body: Buffer.alloc(0), untilEnd: false };

async function readHead(bytes: ReceivedBytes): Promise<Head> {
  const head = await bytes.through("\r\n\r\n", limits.headBytesMax);
  const [startLine = "", ...lines] = head.toString("latin1").trim().split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { startLine, headers: new Map(headers), head };
}

/** `unsized`: what it means when the head says nothing about a body. Requests then have none, replies go on to the end. */
async function readBody(
  bytes: ReceivedBytes,
  headers: ReadonlyMap<string, string>,
  unsized: "none" | "until-end",
): Promise<Body> {
  if (headers.get("transfer-encoding")?.toLowerCase().endsWith("chunked")) return await readChunks(bytes);
  const length = headers.get("content-length");
  if (length === undefined && unsized === "none") return noBody;
  const body = length === undefined ? await bytes.untilEnd() : await bytes.exactly(sizeOf(length, 10));
  return { framedBody: body, body, untilEnd: length === undefined };
}

async function readChunks(bytes: ReceivedBytes): Promise<Body> {
  const framed: Buffer[] = [];
  const parts: Buffer[] = [];
  for (let size = -1, total = 0; size !== 0; ) {
    const line = await bytes.through("\r\n", limits.headBytesMax);
    size = sizeOf(line.toString("latin1").split(";")[0] ?? "", 16);
    total += size;
    if (total > limits.messageBytesMax) throw new Error(`a body has at most ${limits.messageBytesMax} bytes`);
    const part = await bytes.exactly(size);
    parts.push(part);
    framed.push(line, part);
    // Behind the last chunk there may be trailers; behind each other one there is an empty line.
    for (let end = ""; end !== "\r\n"; ) {
      const after = await bytes.through("\r\n", limits.headBytesMax);
      framed.push(after);
      end = after.toString("latin1");
      if (size !== 0 && end !== "\r\n") throw new Error("a chunk does not end where it should");
    }
  }
  return { framedBody: Buffer.concat(framed), body: Buffer.concat(parts), untilEnd: false };
}

function sizeOf(text: string, radix: 10 | 16): number {
  const size = Number.parseInt(text.trim(), radix);
  if (!Number.isSafeInteger(size) || size < 0) throw new Error("the size of a body is not a number");
  return size;
}
