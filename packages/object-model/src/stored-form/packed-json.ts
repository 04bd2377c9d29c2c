import { payloadFragments1 } from "./payload-fragments.ts";

/**
 * JSON with its session's name, its hashes and common stretches as bytes. JSON text has no control characters (inside
 * strings they are escaped), so each of the marks below stands for itself alone.
 */
const marks = { sha256: 1, uuid: 2, session: 3, firstFragment: 4, end: 0x20 } as const;

const hashBytes = 32;
const uuidBytes = 16;

const escaped = payloadFragments1.map((fragment) => fragment.replace(/[[\]{}.]/g, "\\$&"));
const packable = new RegExp(
  `(${escaped.join("|")})|([0-9a-f]{64})|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`,
  "g",
);
const fragmentMarks: ReadonlyMap<string, Buffer> = new Map(
  payloadFragments1.map((fragment, place) => [fragment, Buffer.from([marks.firstFragment + place])]),
);

/** Names that stand in JSON as they are, and are long enough to be worth a mark. */
const packableName = /^[A-Za-z0-9._-]{4,128}$/;

/** The reader knows the session as well, so its name takes one byte wherever it stands. */
export function packJson(json: string, session: string | undefined): Buffer {
  const text = isPackable(session) ? json.replaceAll(session, String.fromCharCode(marks.session)) : json;
  const parts: Buffer[] = [];
  let end = 0;
  for (const { 0: found, 1: fragment, 2: sha256, index } of text.matchAll(packable)) {
    if (index > end) parts.push(Buffer.from(text.slice(end, index)));
    const mark = fragment === undefined ? undefined : fragmentMarks.get(fragment);
    parts.push(mark ?? packedHex(found, sha256 === undefined ? marks.uuid : marks.sha256));
    end = index + found.length;
  }
  parts.push(Buffer.from(text.slice(end)));
  return Buffer.concat(parts);
}

/** @throws where the bytes are not those of `packJson` */
export function unpackJson(bytes: Buffer, session: string | undefined): string {
  let json = "";
  let start = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const mark = bytes[at] ?? 0;
    if (mark >= marks.end) continue;
    const length = lengthAfter(mark);
    if (at > start) json += bytes.toString("utf8", start, at);
    json +=
      length === 0 ? unpackedMark(mark, session) : unpackedHex(mark, bytes.toString("hex", at + 1, at + 1 + length));
    at += length;
    start = at + 1;
  }
  return json + bytes.toString("utf8", start);
}

function isPackable(session: string | undefined): session is string {
  return session !== undefined && packableName.test(session);
}

function packedHex(hex: string, mark: number): Buffer {
  return Buffer.from(`0${mark}${hex.replaceAll("-", "")}`, "hex");
}

function lengthAfter(mark: number): number {
  if (mark === marks.sha256) return hashBytes;
  return mark === marks.uuid ? uuidBytes : 0;
}

/** A truncated text is shorter than its mark says. */
function unpackedHex(mark: number, hex: string): string {
  if (mark === marks.sha256 && hex.length === 2 * hashBytes) return hex;
  if (mark === marks.uuid && hex.length === 2 * uuidBytes) {
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
  }
  throw new TypeError("a mark without its bytes");
}

function unpackedMark(mark: number, session: string | undefined): string {
  if (mark === marks.session && isPackable(session)) return session;
  const fragment = payloadFragments1[mark - marks.firstFragment];
  if (fragment !== undefined) return fragment;
  throw new TypeError("an unknown mark");
}
