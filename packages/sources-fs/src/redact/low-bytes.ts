/** Kept between calls up to this size; one for a larger text is made for it and dropped. */
const keptBytes = 1024 * 1024;
const kept = Buffer.allocUnsafe(keptBytes);

/**
 * The low byte of every UTF-16 unit: reading bytes is several times faster than reading characters, whatever the
 * text's inner form. A character beyond Latin-1 may look like another one, so what is found is checked on the text.
 * The bytes are good until the next call; bytes after the text's length mean nothing.
 */
export function lowBytes(text: string): Uint8Array {
  const bytes = text.length <= keptBytes ? kept : Buffer.allocUnsafe(text.length);
  bytes.write(text, 0, text.length, "latin1");
  return bytes;
}
