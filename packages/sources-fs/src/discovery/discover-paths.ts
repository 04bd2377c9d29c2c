import { posix } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { JsonObject } from "@cm/object-model";
import { discoveryLimits } from "../limits.ts";
import {
  bulletReader,
  gitReader,
  headingFolders,
  type LineReader,
  matchesReader,
  namesReader,
  treeReader,
} from "./line-readers.ts";
import { listingCall, type OutputForm } from "./listing-call.ts";
import { pathWords } from "./path-words.ts";

export interface ToolOutput {
  readonly tool: string;
  readonly args?: JsonObject;
  readonly text: string;
  /** Absolute, in the agent's terms. */
  readonly cwd: string;
}

/**
 * Paths that an output may name, absolute and in the agent's terms, each once, in the order of the output (SSOT 5.6).
 * They are candidates: whether one exists is the source's answer. Every name stands in the output; it is joined with
 * the working folder or with the folder that was listed. Nothing is looked at here, and the number is bounded.
 */
export function discoverPaths({ tool, args = {}, text, cwd }: ToolOutput): readonly string[] {
  const call = listingCall({ tool, args, cwd });
  if (call === undefined) return [];
  const found = new Set<string>();
  const collect = (path: string, heading?: string): void => {
    if (path === "" || path === "." || path === ".." || path.length > discoveryLimits.pathCharsMax) return;
    const folders = heading === undefined ? call.folders : headingFolders(heading, call.folders);
    for (const folder of posix.isAbsolute(path) ? ["/"] : folders) {
      if (found.size < discoveryLimits.pathsMax) found.add(posix.resolve(folder, path));
    }
  };
  const readers = [...call.forms].flatMap((form) => readersOf(form, collect));
  const bounded = text.slice(0, discoveryLimits.outputCharsMax);
  for (const raw of bounded.split("\n")) {
    if (found.size >= discoveryLimits.pathsMax) break;
    if (raw.length > discoveryLimits.lineCharsMax) continue;
    const line = (raw.includes("\u001b") ? stripVTControlCharacters(raw) : raw).trimEnd();
    for (const read of readers) read(line);
  }
  return [...found];
}

function readersOf(form: OutputForm, collect: (path: string, heading?: string) => void): readonly LineReader[] {
  switch (form) {
    case "names":
      return [namesReader(collect), bulletReader(collect)];
    case "tree":
      return [treeReader(collect)];
    case "matches":
      return [matchesReader(collect)];
    case "git":
      return [gitReader(collect)];
    case "words":
      return [
        (line) => {
          for (const path of pathWords(line)) collect(path);
        },
      ];
  }
}
