import type { Random } from "@cm/testkit";

/**
 * Draws a text that a regular expression matches. Reads what lists of secrets use: literals, classes, groups, inline
 * `(?i)`, alternatives and counted repeats; what stands for a place (`\b`, `$`, lookarounds) draws nothing.
 */
export function textOfShape(source: string, random: Random, ignoreCase = false): string {
  return new Drawing(source, random, ignoreCase && random.chance(0.5)).alternatives();
}

const lower = "abcdefghijklmnopqrstuvwxyz";
const digits = "0123456789";
const word = `${lower}${lower.toUpperCase()}${digits}_`;
const printable = Array.from({ length: 94 }, (_, n) => String.fromCharCode(33 + n)).join("");
const named: Readonly<Record<string, string>> = { w: word, d: digits, s: " ", S: word };
/** Where a shape sets no upper bound. */
const openRepeats = 12;

class Drawing {
  private at = 0;
  private readonly source: string;
  private readonly random: Random;
  private ignoresCase: boolean;

  constructor(source: string, random: Random, ignoresCase: boolean) {
    this.source = source;
    this.random = random;
    this.ignoresCase = ignoresCase;
  }

  /** Draws every alternative and keeps one, since each has to be read to its end. */
  alternatives(): string {
    const drawn = [this.sequence()];
    while (this.source[this.at] === "|") {
      this.at += 1;
      drawn.push(this.sequence());
    }
    return this.random.pick(drawn);
  }

  private sequence(): string {
    let text = "";
    while (this.at < this.source.length && this.source[this.at] !== "|" && this.source[this.at] !== ")") {
      const start = this.at;
      const first = this.piece();
      const [least, most] = this.repeats();
      const after = this.at;
      const count = least + this.random.below(most - least + 1);
      if (count > 0) text += first;
      for (let n = 1; n < count; n++) {
        this.at = start;
        text += this.piece();
      }
      this.at = after;
    }
    return text;
  }

  private piece(): string {
    const char = this.source[this.at++] ?? "";
    if (char === "(") return this.group();
    if (char === "[") return this.random.pick([...this.characters()]);
    if (char === "\\") return this.escape();
    if (char === "^" || char === "$") return "";
    return char;
  }

  private group(): string {
    const head = /^\?(?::|P<\w+>|<\w+>|[=!]|<[=!]|(-?i)([:)]))/.exec(this.source.slice(this.at));
    const before = this.ignoresCase;
    this.at += head?.[0].length ?? 0;
    if (head?.[1] !== undefined) this.ignoresCase = head[1] === "i" && this.random.chance(0.5);
    if (head?.[2] === ")") return "";
    const drawn = this.alternatives();
    this.at += 1;
    this.ignoresCase = before;
    return /^\?<?[=!]/.test(head?.[0] ?? "") ? "" : drawn;
  }

  private escape(): string {
    const char = this.source[this.at++] ?? "";
    if (char === "b" || char === "B" || char === "z") return "";
    const set = named[char];
    return set === undefined ? char : this.random.pick([...set]);
  }

  private characters(): string {
    const excludes = this.source[this.at] === "^";
    if (excludes) this.at += 1;
    let set = "";
    while (this.source[this.at] !== "]") {
      const from = this.classCharacter();
      if (from.length === 1 && this.source[this.at] === "-" && this.source[this.at + 1] !== "]") {
        this.at += 1;
        const to = this.classCharacter();
        for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code++) set += String.fromCharCode(code);
      } else set += from;
    }
    this.at += 1;
    const chosen = excludes ? [...printable].filter((char) => !set.includes(char)).join("") : set;
    // A shape that ignores case also names keys in capitals.
    return this.ignoresCase ? chosen + chosen.toUpperCase() : chosen;
  }

  private classCharacter(): string {
    const char = this.source[this.at++] ?? "";
    if (char !== "\\") return char;
    const escaped = this.source[this.at++] ?? "";
    return named[escaped] ?? escaped;
  }

  private repeats(): readonly [number, number] {
    const counted = /^(?:\{(\d+)(,?)(\d*)\}|([*+?]))\??/.exec(this.source.slice(this.at));
    if (counted === null) return [1, 1];
    this.at += counted[0].length;
    const [, least, comma, most, sign] = counted;
    if (sign !== undefined) return sign === "?" ? [0, 1] : [sign === "+" ? 1 : 0, openRepeats];
    return [Number(least), comma === "" ? Number(least) : most === "" ? Number(least) + openRepeats : Number(most)];
  }
}
