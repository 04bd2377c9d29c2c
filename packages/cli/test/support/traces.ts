import zlib from "node:zlib";

/** Deflate data may refer to a text that both sides know; of what is no such reference it still says everything. */
const unknownText = Buffer.alloc(32 * 1024);
/** So much is expanded from each place. */
const [packedBytes, expandedBytes] = [2_048, 64 * 1024];

/** The ways in which a text of ASCII letters can still be read from bytes; none where nothing is left of it. */
export function tracesOf(bytes: Buffer, text: string): readonly string[] {
  const plain = Buffer.from(text);
  const forms: Readonly<Record<string, Buffer>> = {
    plain,
    reversed: Buffer.from([...text].reverse().join("")),
    "lower case": Buffer.from(text.toLowerCase()),
    hex: Buffer.from(plain.toString("hex")),
    "upper hex": Buffer.from(plain.toString("hex").toUpperCase()),
    utf16: Buffer.from(text, "utf16le"),
    "utf16 big": Buffer.from(text, "utf16le").swap16(),
    ...Object.fromEntries([0, 1, 2].map((shift) => [`base64 +${shift}`, base64Of(plain, shift)])),
  };
  const found = Object.entries(forms).flatMap(([name, form]) => (bytes.includes(form) ? [name] : []));
  return [...found, ...(isDeflated(bytes, plain) ? ["deflate"] : []), ...(isZstd(bytes, plain) ? ["zstd"] : [])];
}

/** The characters that a text always has in base64 behind so many other bytes. */
function base64Of(plain: Buffer, shift: number): Buffer {
  const padded = Buffer.concat([Buffer.alloc(shift), plain]);
  const whole = padded.subarray(0, padded.length - (padded.length % 3)).toString("base64");
  return Buffer.from(whole.slice(shift === 0 ? 0 : 4));
}

function isDeflated(bytes: Buffer, plain: Buffer): boolean {
  for (let at = 0; at < bytes.length; at += 1) {
    // The block's kind: in one of stored bytes the text stands plain, and the fourth kind there is not.
    const kind = ((bytes[at] ?? 0) >> 1) & 3;
    if (kind === 0 || kind === 3 || (kind === 2 && !hasCodes(bytes, at))) continue;
    const piece = bytes.subarray(at, at + packedBytes);
    const options = {
      dictionary: unknownText,
      finishFlush: zlib.constants.Z_SYNC_FLUSH,
      maxOutputLength: expandedBytes,
      chunkSize: 4_096,
    };
    if (expanded(() => zlib.inflateRawSync(piece, options))?.includes(plain) === true) return true;
  }
  return false;
}

/**
 * Whether a block with codes of its own can begin here: the lengths of the first code, 4 to 19 numbers of three bits behind
 * seventeen others, must use it up. Almost no other bytes do, and zlib takes a hundred times as long to find it out.
 */
function hasCodes(bytes: Buffer, at: number): boolean {
  const bits = (from: number, count: number): number =>
    (((bytes[at + (from >> 3)] ?? 0) | ((bytes[at + (from >> 3) + 1] ?? 0) << 8)) >> (from & 7)) & (2 ** count - 1);
  let used = 0;
  for (let n = 0; n < bits(13, 4) + 4; n += 1) {
    const length = bits(17 + 3 * n, 3);
    if (length > 0) used += 2 ** (7 - length);
  }
  return used === 2 ** 7;
}

function isZstd(bytes: Buffer, plain: Buffer): boolean {
  const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
  for (let at = bytes.indexOf(magic); at >= 0; at = bytes.indexOf(magic, at + 1)) {
    const piece = bytes.subarray(at);
    const options = { finishFlush: zlib.constants.ZSTD_e_flush, maxOutputLength: expandedBytes };
    if (expanded(() => zlib.zstdDecompressSync(piece, options))?.includes(plain) === true) return true;
  }
  return false;
}

function expanded(expand: () => Buffer): Buffer | undefined {
  try {
    return expand();
  } catch {
    return undefined;
  }
}
