import { type GitBinding, isCmError } from "@cm/object-model";
import type { Random } from "@cm/testkit";
import { createGitSource } from "../../src/index.ts";
import { filesystemId } from "./repository.ts";

/** A source without repositories, to try bindings on. */
export const source = createGitSource({ filesystemId, repositories: [] });

/** The binding, if it is one. */
export function parsed(binding: object): GitBinding | undefined {
  try {
    return source.parseBinding(binding);
  } catch (error) {
    if (isCmError(error, "model/invalid-source")) return undefined;
    throw error;
  }
}

/** What means something to git, to a shell, or to a protocol of lines. */
export const refPieces = [
  "main",
  "HEAD",
  "@",
  "@{-1}",
  "@{upstream}",
  "@{0}",
  "..",
  "...",
  ".",
  "^",
  "^0",
  "^{tree}",
  "~1",
  ":",
  ":/",
  ":0:",
  "/",
  "//",
  "refs/",
  "heads/",
  "tags/",
  "refs/heads/main",
  "v1",
  "-",
  "--",
  "-c",
  "--upload-pack=x",
  "--exec",
  "\n",
  "\r",
  "\0",
  " ",
  "contents ",
  "info ",
  "flush",
  "*",
  "?",
  "[",
  "\\",
  ".lock",
  "{",
  "}",
  "é",
  "\u202e",
  "\ud800",
  "-g",
  "topic",
  "$(id)",
  "`id`",
  "!",
  "#",
  "%",
  "=",
];
export const pathPieces = [
  "a.txt",
  "folder",
  "/",
  "//",
  ".",
  "..",
  "-",
  "--",
  "\n",
  "\0",
  " ",
  ":",
  "^{tree}",
  "main:",
  "*",
  "?",
  "[a]",
  "\\",
  "\t",
  ".git",
  "config",
  "HEAD",
  "flush\n",
  "contents ",
  "é",
  "\ud800",
  "~",
  "@{0}",
  "(glob)",
  "%2e",
];

/** A binding of random pieces, if that is one. */
export function drawn(random: Random, here: string, pieces: readonly string[]): GitBinding | undefined {
  const ref = random.chance(0.3)
    ? "main"
    : Array.from({ length: random.below(3) + 1 }, () => random.pick(pieces)).join("");
  const path = random.chance(0.5)
    ? "a.txt"
    : Array.from({ length: random.below(4) + 1 }, () => random.pick(pathPieces)).join("");
  return parsed({ type: "git", repo: here, ref, path });
}
