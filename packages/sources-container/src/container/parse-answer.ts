import { reasons, Trouble } from "../reasons.ts";

/** The script's answer for one file. */
export type Told =
  | { readonly word: Exclude<Word, "text" | "same" | "large"> }
  | { readonly word: "same" | "large"; readonly hash: string }
  | { readonly word: "text"; readonly hash: string; readonly bytes: Buffer };

const words = [
  "text",
  "same",
  "large",
  "later",
  "exists",
  "absent",
  "denied",
  "folder",
  "special",
  "broken",
  "outside",
  "noroot",
  "huge",
  "failed",
] as const;
export type Word = (typeof words)[number];

const headingCharsMax = 200;
const lineEnd = 0x0a;

/**
 * The answers of one run of the script, in the order of the requested files. A file that shrank while it was sent
 * leaves the rest unreadable: then there are fewer answers than files, and the others are asked for again.
 * @throws Trouble where the container lacks a program, or says nothing that can be understood
 */
export function parseAnswer(output: Buffer, mark: string): readonly Told[] {
  const told: Told[] = [];
  let at = 0;
  for (;;) {
    const end = output.indexOf(lineEnd, at);
    if (end < 0 || end - at > headingCharsMax) break;
    const [said, word, hash, size] = output.toString("latin1", at, end).split(" ");
    if (said !== mark || word === undefined || word === "end") break;
    if (word === "lacking") throw new Trouble(reasons.noPrograms);
    at = end + 1;
    const one = toldOf({ word, hash, size }, (bytes) => output.subarray(at, at + bytes));
    if (one === undefined) break;
    if (one.word === "text") {
      at += one.bytes.length + 1;
      if (output[at - 1] !== lineEnd) break;
    }
    told.push(one);
  }
  if (told.length === 0) throw new Trouble(reasons.execUnclear);
  return told;
}

interface Heading {
  readonly word: string;
  readonly hash: string | undefined;
  readonly size: string | undefined;
}

function toldOf({ word, hash, size }: Heading, take: (bytes: number) => Buffer): Told | undefined {
  const known = words.find((one) => one === word);
  if (known === undefined) return undefined;
  if (known !== "text" && known !== "same" && known !== "large") return { word: known };
  if (hash === undefined || !/^[0-9a-f]{64}$/.test(hash)) return undefined;
  if (known !== "text") return { word: known, hash };
  if (size === undefined || !/^\d{1,15}$/.test(size)) return undefined;
  return { word: known, hash, bytes: take(Number(size)) };
}
