import { payloadFragments1 } from "./payload-fragments.ts";

/**
 * JSON with its session's name, its hashes and common stretches as bytes. JSON text has no control characters (inside
 * strings they are escaped), so each of the marks below stands for itself alone.
 */
const marks = { sha256: 1, uuid: 2, session: 3, firstFragment: 4 } as const;
const anyMark = /[^ -\xff]/;
/** A mark, or a byte of a character that has more of them. */
const notAscii = /[^ -\x7f]/;

const hashBytes = 32;
const uuidBytes = 16;

const escaped = payloadFragments1.map((fragment) => fragment.replace(/[[\]{}.]/g, "\\$&"));
const packable = new RegExp(
  `(${escaped.join("|")})|([0-9a-f]{64})|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`,
  "g",
);
const fragmentMarks: ReadonlyMap<string, number> = new Map(
  payloadFragments1.map((fragment, place) => [fragment, marks.firstFragment + place]),
);

/** Names that stand in JSON as they are, and are long enough to be worth a mark. */
const packableName = /^[A-Za-z0-9._-]{4,128}$/;

/** The reader knows the session as well, so its name takes one byte wherever it stands. */
export function packJson(json: string, session: string | undefined): Buffer {
  const text = isPackable(session) ? json.replaceAll(session, String.fromCharCode(marks.session)) : json;
  // What stands for a stretch is never longer than it.
  const bytes = Buffer.allocUnsafe(Buffer.byteLength(text));
  let [length, end] = [0, 0];
  for (const { 0: found, 1: fragment, 2: sha256, index } of text.matchAll(packable)) {
    if (index > end) length += bytes.write(text.slice(end, index), length);
    end = index + found.length;
    const mark = fragment === undefined ? undefined : fragmentMarks.get(fragment);
    bytes[length] = mark ?? (sha256 === undefined ? marks.uuid : marks.sha256);
    length += 1;
    if (mark === undefined) length += bytes.write(sha256 ?? found.replaceAll("-", ""), length, "hex");
  }
  length += bytes.write(text.slice(end), length);
  return bytes.subarray(0, length);
}

/** @throws where the bytes are not those of `packJson` */
export function unpackJson(bytes: Buffer, session: string | undefined): string {
  // Bytes as characters: the search looks through a megabyte of them in a millisecond, and what is ASCII stands as it is.
  const text = bytes.toString("latin1");
  const [special, marked] = [new RegExp(notAscii, "g"), new RegExp(anyMark, "g")];
  let json = "";
  let start = 0;
  while (start < bytes.length) {
    special.lastIndex = start;
    const first = special.exec(text)?.index ?? bytes.length;
    let at = first;
    if ((bytes[at] ?? 0) > 0x7f) {
      marked.lastIndex = at;
      at = marked.exec(text)?.index ?? bytes.length;
    }
    if (at > start) json += at === first ? text.slice(start, at) : bytes.toString("utf8", start, at);
    if (at === bytes.length) break;
    const mark = bytes[at] ?? 0;
    const length = lengthAfter(mark);
    start = at + 1 + length;
    json += length === 0 ? unpackedMark(mark, session) : unpackedHex(mark, bytes.toString("hex", at + 1, start));
  }
  return json;
}

function isPackable(session: string | undefined): session is string {
  return session !== undefined && packableName.test(session);
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
