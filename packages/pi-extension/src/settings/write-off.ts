import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { applyEdits, modify } from "jsonc-parser";
import { piError } from "../errors.ts";
import { settingsFile } from "./folders.ts";
import { readJson } from "./json-with-comments.ts";

/** What a file that is being written is called until it is whole. */
export const unfinished = (path: string, id: string): string => `${path}.${id}.unfinished`;

/**
 * Writes into the user's settings whether every session begins off. All else in the file stays as it is, with its comments.
 * @throws CmError `pi/invalid-input` where the file is no JSON, or cannot be written: then it stays as it is
 */
export function writeOff(agentDir: string, off: boolean): void {
  const path = settingsFile(agentDir);
  const before = textOf(path);
  const json = before === undefined ? undefined : readJson(before);
  if (json !== undefined && ("why" in json || !isObject(json.value)))
    throw notWritten(path, "is no JSON object; mend it");
  if (!off && (json === undefined || !Object.hasOwn(Object(json.value), "off"))) return;
  const text = before === undefined || before.trim() === "" ? "{}\n" : before;
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: "\n" };
  try {
    // Never taken out again: a comment before it would go, too.
    replace(path, applyEdits(text, modify(text, ["off"], off, { formattingOptions })));
  } catch (error) {
    throw notWritten(path, "cannot be written; look at its owner and modes", error);
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw notWritten(path, "cannot be read; look at its owner and modes", error);
  }
}

/** Whole or not at all, also where the machine stops meanwhile. A link goes on leading to the file. */
function replace(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const target = realPath(path);
  const made = unfinished(target, randomUUID());
  try {
    writeFileSync(made, text, { mode: 0o600, flag: "wx" });
    chmodSync(made, 0o600);
    renameSync(made, target);
  } catch (error) {
    rmSync(made, { force: true });
    throw error;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

const notWritten = (path: string, why: string, cause?: unknown) =>
  piError("pi/invalid-input", `${path} ${why}, or write "off" into it by hand.`, {}, { cause });
