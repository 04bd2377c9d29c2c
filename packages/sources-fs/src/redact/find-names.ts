/** Where a name may begin in a text, found from the ends of its first characters. */
export type NameScan = (bytes: Uint8Array, from: number, length: number) => number;

const letters = new Uint8Array(256);
for (let letter = 1; letter <= 26; letter++) {
  letters[96 + letter] = letter;
  letters[64 + letter] = letter;
}
letters[45] = 27;
letters[95] = 27;

/**
 * Looks for texts of one length (`_` stands for `-`, too; a blank for whatever is no letter), three letters or more: two
 * characters that stand in none of them allow a step of all but one. Gives the place of the last character of one, or -1.
 */
export function createNameScan(begins: readonly string[]): NameScan {
  const chars = (begins[0] ?? "").length;
  const byLetters = new Uint8Array(1 << 10).fill(chars - 1);
  const afterFailure = new Uint8Array(1 << 10).fill(chars - 1);
  const lastThree = new Uint8Array(1 << 15);
  const code = (char: string | undefined): number => letters[(char ?? " ").charCodeAt(0)] as number;
  for (const begin of begins) {
    for (let n = 1; n < chars; n++) {
      const pair = (code(begin[n - 1]) << 5) | code(begin[n]);
      const step = chars - 1 - n;
      byLetters[pair] = Math.min(byLetters[pair] as number, step);
      if (step > 0) afterFailure[pair] = Math.min(afterFailure[pair] as number, step);
    }
    lastThree[(code(begin[chars - 3]) << 10) | (code(begin[chars - 2]) << 5) | code(begin[chars - 1])] = 1;
  }
  // By two bytes at once: one look instead of three.
  const steps = byBytes(byLetters);
  const others = byBytes(afterFailure);
  const isBegin = (bytes: Uint8Array, at: number): boolean => {
    const letter = (index: number): number => letters[bytes[index] as number] as number;
    return lastThree[(letter(at - 2) << 10) | (letter(at - 1) << 5) | letter(at)] === 1;
  };
  return (bytes, from, length) => {
    for (let at = Math.max(from, chars - 1); at < length; ) {
      const pair = ((bytes[at - 1] as number) << 8) | (bytes[at] as number);
      const step = steps[pair] as number;
      if (step > 0) at += step;
      else if (isBegin(bytes, at)) return at;
      else at += others[pair] as number;
    }
    return -1;
  };
}

function byBytes(byLetters: Uint8Array): Uint8Array {
  return Uint8Array.from({ length: 1 << 16 }, (_, pair) => {
    const [first, second] = [letters[pair >> 8] as number, letters[pair & 255] as number];
    return byLetters[(first << 5) | second] as number;
  });
}
