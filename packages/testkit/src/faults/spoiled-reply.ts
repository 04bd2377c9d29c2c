import type { Fault } from "./fault.ts";
import type { HttpMessage } from "./http-message.ts";

/** A reply as it goes over the wire. */
export type Sent = Pick<HttpMessage, "head" | "framedBody">;

/** Bytes that are neither HTTP nor UTF-8 nor JSON, the same on every run. */
export const garbage: Buffer = Buffer.from(Array.from({ length: 512 }, (_, n) => (n * 197 + 141) % 256));

/**
 * What is sent in place of a reply, for the faults that send whole HTTP. `reply` is undefined when the target was not
 * asked; what the client accepts then takes the place of the reply's content type.
 */
export function spoiledReply(fault: Fault, request: HttpMessage, reply: HttpMessage | undefined): Sent | undefined {
  const type = reply?.headers.get("content-type") ?? request.headers.get("accept")?.split(",")[0] ?? "text/plain";
  switch (fault) {
    case "truncated":
      return reply && truncated(reply);
    case "empty":
      return whole("200 OK", `content-type: ${type}`, "");
    case "garbage":
      return whole("200 OK", `content-type: ${type}`, garbage);
    case "wrong-type":
      return whole("200 OK", "content-type: text/html", "<!doctype html><title>Please sign in</title>\n");
    case "redirect":
      return whole("307 Temporary Redirect", "location: /redirected", "");
    case "error-500":
      return whole("500 Internal Server Error", "content-type: application/json", '{"error":"planned"}');
    default:
      return undefined;
  }
}

/** The first half of the reply: of its body, or of its head where there is no body. */
export function partOf({ head, framedBody }: HttpMessage): Buffer {
  if (framedBody.length === 0) return head.subarray(0, Math.floor(head.length / 2));
  return Buffer.concat([head, framedBody.subarray(0, Math.floor(framedBody.length / 2))]);
}

/** The reply, with the word that no further request shall come on this connection. */
export const lastReply = ({ head, framedBody }: Sent): Sent => ({
  head: withHeader(head, "connection", "close"),
  framedBody,
});

/** Half of the body, so ended that nothing in the framing shows that the rest is missing. */
function truncated({ head, framedBody, body }: HttpMessage): Sent {
  const half = body.subarray(0, Math.floor(body.length / 2));
  const inChunks = framedBody.length !== body.length;
  if (!inChunks) return { head: withHeader(head, "content-length", `${half.length}`), framedBody: half };
  const chunk = half.length === 0 ? "" : Buffer.concat([line(half.length.toString(16)), half, line("")]);
  return { head, framedBody: Buffer.concat([Buffer.from(chunk), line("0"), line("")]) };
}

const line = (text: string): Buffer => Buffer.from(`${text}\r\n`, "latin1");

function withHeader(head: Buffer, name: string, value: string): Buffer {
  const [startLine = "", ...lines] = head.toString("latin1").trimEnd().split("\r\n");
  const others = lines.filter((header) => !header.toLowerCase().startsWith(`${name}:`));
  return line([startLine, ...others, `${name}: ${value}`, ""].join("\r\n"));
}

function whole(status: string, header: string, body: string | Buffer): Sent {
  const length = `content-length: ${Buffer.byteLength(body)}`;
  return { head: line([`HTTP/1.1 ${status}`, header, length, ""].join("\r\n")), framedBody: Buffer.from(body) };
}
