import { limits } from "../limits.ts";
import { isTransparent } from "./reserved.ts";
import type { Word } from "./word.ts";

/** Thrown within this folder alone: the text is not one that is read here. */
export class Unreadable extends Error {}

export const unreadable = (): never => {
  throw new Unreadable();
};

/** Called with the words of each simple command, redirections taken out. */
export type OnCommand = (words: readonly Word[], depth: number) => void;

const variable = /[A-Za-z_][A-Za-z0-9_]*/y;

/**
 * Reads the part of the POSIX shell's grammar in which every command that may run can be seen: simple commands with
 * quotes and variables, lists, pipes, groups, subshells, substitutions, redirections, `if`, `while` and `for`. It never
 * guesses: anything else is unreadable. Where shells differ, it takes a word for a command rather than not.
 */
export class ShellReader {
  readonly #text: string;
  readonly #onCommand: OnCommand;
  readonly #depth: number;
  #at = 0;

  constructor(text: string, onCommand: OnCommand, depth: number) {
    if (depth > limits.commandDepthMax || text.length > limits.commandCharsMax) unreadable();
    this.#text = text;
    this.#onCommand = onCommand;
    this.#depth = depth;
  }

  readAll(): void {
    this.#readList(undefined, this.#depth);
  }

  /** Up to the end of the text, or behind the parenthesis that closes a subshell or a substitution. */
  #readList(close: ")" | undefined, depth: number): void {
    if (depth > limits.commandDepthMax) unreadable();
    let words: Word[] = [];
    let isRedirected = false;
    let isOver = false;
    const flush = (): void => {
      if (words.length > 0) this.#onCommand(words, depth);
      words = [];
      isRedirected = false;
      isOver = false;
    };
    for (;;) {
      this.#skipBlanks();
      const next = this.#text[this.#at];
      if (next === undefined || next === ")") {
        if (next !== close) unreadable();
        this.#at += next === undefined ? 0 : 1;
        flush();
        return;
      }
      if (next === "#") this.#skipComment();
      else if (this.#text.startsWith("&>", this.#at)) {
        // Both outputs of this command for some shells, its end for others: a word behind it would be of either one.
        this.#at += 1;
        this.#skipRedirection(depth);
        isRedirected = true;
        isOver = true;
      } else if (next === "\n" || next === ";" || next === "&" || next === "|") {
        if (this.#text.startsWith(";;", this.#at) || this.#text.startsWith(";&", this.#at)) unreadable();
        this.#at += 1;
        flush();
      } else if (next === "<" || next === ">") {
        this.#skipRedirection(depth);
        isRedirected = true;
      } else if (next === "(") {
        if (words.length > 0 || isRedirected || this.#text[this.#at + 1] === "(") unreadable();
        this.#at += 1;
        this.#readList(")", depth + 1);
      } else {
        const word = this.#readWord(depth);
        if (this.#isDescriptor(word)) continue;
        if (isOver) unreadable();
        if (words.length > 0 || !isTransparent(word)) words.push(word);
        else if (isRedirected) unreadable();
      }
    }
  }

  /** A number in front of a redirection is no argument; a name in braces there would set a variable. */
  #isDescriptor({ text, isBare }: Word): boolean {
    const next = this.#text[this.#at];
    if (!isBare || (next !== "<" && next !== ">")) return false;
    if (text.endsWith("}")) unreadable();
    return /^\d+$/.test(text);
  }

  #skipRedirection(depth: number): void {
    const rest = this.#text.slice(this.#at, this.#at + 3);
    if (rest.startsWith("<<") && rest !== "<<<") unreadable();
    const operator = /^(?:<<<|>>|>\||>&|<&|<>|<|>)/.exec(rest)?.[0] ?? unreadable();
    this.#at += operator.length;
    this.#skipBlanks();
    const start = this.#at;
    if (this.#text[start] === "#") unreadable();
    this.#readWord(depth);
    if (this.#at === start) unreadable();
  }

  #readWord(depth: number): Word {
    let [text, isLiteral, isBare] = ["", true, true];
    let assigned: string | undefined;
    for (;;) {
      const next = this.#text[this.#at];
      if (next === undefined || " \t\n;&|<>()".includes(next)) break;
      if (next === "\\") {
        const escaped = this.#text[this.#at + 1] ?? unreadable();
        this.#at += 2;
        if (escaped !== "\n") text += escaped;
        isBare = false;
      } else if (next === "'") {
        text += this.#singleQuoted();
        isBare = false;
      } else if (next === '"') {
        const quoted = this.#doubleQuoted(depth);
        text += quoted.text;
        isLiteral &&= quoted.isLiteral;
        isBare = false;
      } else if (next === "$" || next === "`") {
        const plain = this.#expansion(depth, false);
        text += plain ?? "";
        isLiteral &&= plain !== undefined;
      } else {
        if (next === "=" && isBare && isLiteral && assigned === undefined) {
          assigned = /^([A-Za-z_][A-Za-z0-9_]*)\+?$/.exec(text)?.[1];
        }
        text += next;
        this.#at += 1;
      }
    }
    const isPattern = isBare ? /[*?[{}]/.test(text) && !["[", "{", "}", "{}"].includes(text) : false;
    return { text, isLiteral: isLiteral && !isPattern, isBare, ...(assigned === undefined ? {} : { assigned }) };
  }

  #singleQuoted(): string {
    const end = this.#text.indexOf("'", this.#at + 1);
    if (end < 0) unreadable();
    const text = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    return text;
  }

  #doubleQuoted(depth: number): { readonly text: string; readonly isLiteral: boolean } {
    let [text, isLiteral] = ["", true];
    this.#at += 1;
    for (;;) {
      const next = this.#text[this.#at] ?? unreadable();
      if (next === '"') {
        this.#at += 1;
        return { text, isLiteral };
      }
      if (next === "$" || next === "`") {
        const plain = this.#expansion(depth, true);
        text += plain ?? "";
        isLiteral &&= plain !== undefined;
        continue;
      }
      const escaped = next === "\\" ? this.#text[this.#at + 1] : undefined;
      if (escaped !== undefined && '$`"\\\n'.includes(escaped)) {
        if (escaped !== "\n") text += escaped;
        this.#at += 2;
      } else {
        text += next;
        this.#at += 1;
      }
    }
  }

  /** What begins with a dollar or a backtick: the text where it stands for itself, undefined where it is expanded. */
  #expansion(depth: number, isQuoted: boolean): string | undefined {
    if (this.#text[this.#at] === "`") return this.#backticks(depth, isQuoted);
    const next = this.#text[this.#at + 1] ?? "";
    if (next === "(") {
      if (this.#text[this.#at + 2] === "(") unreadable();
      this.#at += 2;
      this.#readList(")", depth + 1);
      return undefined;
    }
    if (next === "{") {
      const end = this.#nameEnd(this.#at + 2);
      if (end === undefined || this.#text[end] !== "}") unreadable();
      this.#at = (end ?? 0) + 1;
      return undefined;
    }
    const isUnread = next === "[" || (next === "\\" && this.#text[this.#at + 2] === "\n");
    if (isUnread || (!isQuoted && (next === "'" || next === '"'))) unreadable();
    const end = this.#nameEnd(this.#at + 1) ?? (/[0-9?$!#@*-]/.test(next) ? this.#at + 2 : undefined);
    this.#at = end ?? this.#at + 1;
    return end === undefined ? "$" : undefined;
  }

  #nameEnd(from: number): number | undefined {
    variable.lastIndex = from;
    return variable.test(this.#text) ? variable.lastIndex : undefined;
  }

  /** Backslashes mean something else within, and quotes within quotes differ from shell to shell. */
  #backticks(depth: number, isQuoted: boolean): undefined {
    const end = this.#text.indexOf("`", this.#at + 1);
    const inner = this.#text.slice(this.#at + 1, end);
    if (end < 0 || inner.includes("\\") || (isQuoted && inner.includes('"'))) unreadable();
    new ShellReader(inner, this.#onCommand, depth + 1).readAll();
    this.#at = end + 1;
    return undefined;
  }

  #skipBlanks(): void {
    for (;;) {
      const next = this.#text[this.#at];
      if (next === " " || next === "\t") this.#at += 1;
      else if (next === "\\" && this.#text[this.#at + 1] === "\n") this.#at += 2;
      else return;
    }
  }

  #skipComment(): void {
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }
}
