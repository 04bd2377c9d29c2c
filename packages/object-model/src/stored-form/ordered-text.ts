const high = /[\ud800-\uffff]/;
const shift = 0x10000;

/**
 * Text as its columns hold it. SQLite orders text by UTF-8 bytes, the contract by UTF-16 units, and the two differ
 * beyond the BMP. So every unit from U+D800 on stands as the character 0x10000 above it: bytes now order as units do,
 * each unit is one character, and even half a surrogate pair can be asked for. All other text stands as it is.
 */
export function toOrderedText(text: string): string {
  if (!high.test(text)) return text;
  let ordered = "";
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    ordered += String.fromCodePoint(unit < 0xd800 ? unit : unit + shift);
  }
  return ordered;
}

export function fromOrderedText(ordered: string): string {
  if (!high.test(ordered)) return ordered;
  let text = "";
  for (const character of ordered) {
    const point = character.codePointAt(0) ?? 0;
    text += String.fromCharCode(point < shift ? point : point - shift);
  }
  return text;
}

/** Greater than every ordered text that begins with the prefix: no unit stands at the last code point. */
export function endOfPrefix(ordered: string): string {
  return `${ordered}\u{10ffff}`;
}
