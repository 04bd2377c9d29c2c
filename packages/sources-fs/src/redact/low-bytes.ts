/** The low byte of every UTF-16 unit of a text, and the same by twos. What stands after the length means nothing. */
export interface LowText {
  readonly bytes: Uint8Array;
  readonly pairs: Uint16Array;
  readonly length: number;
}

/** Kept between calls up to this size; one for a larger text is made for it and dropped. */
const keptBytes = 1024 * 1024;
const kept = Buffer.allocUnsafeSlow(keptBytes);
const keptPairs = new Uint16Array(kept.buffer);

/**
 * Reading bytes is several times faster than reading characters, whatever the text's inner form. A character beyond
 * Latin-1 may look like another one, so what is found is checked on the text. Good until the next call.
 */
export function lowBytes(text: string): LowText {
  const { length } = text;
  // Two pairs after the last one are there to be read.
  const bytes = length + 6 <= keptBytes ? kept : Buffer.allocUnsafeSlow(length + 6 + (length % 2));
  bytes.write(text, 0, length, "latin1");
  return { bytes, pairs: bytes === kept ? keptPairs : new Uint16Array(bytes.buffer), length };
}
