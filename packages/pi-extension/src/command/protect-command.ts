import { homedir } from "node:os";
import { CmError } from "@cm/object-model";
import type { Protection } from "@cm/render";
import { counted, visibleLine } from "@cm/terminal-text";
import { has, type Pattern, toPattern, withoutPattern, withPattern } from "../protect/pattern.ts";
import { protectLimits } from "../protect/protect-limits.ts";
import type { CommandHost } from "./command-host.ts";
import { commandLimits } from "./command-limits.ts";
import { requireManaged } from "./require-managed.ts";
import { requireSteering } from "./require-steering.ts";

/** Protects what a pattern names in this session; without one, says what is protected. */
export async function protect(host: CommandHost, argument: string): Promise<string> {
  const { protection } = requireSteering(requireManaged(host));
  if (argument === "") return protectedList(protection);
  const pattern = patternIn(argument);
  const isKnown = pattern.of === "prompts" ? protection.all.prompts >= pattern.count : has(protection.all, pattern);
  if (isKnown) return `${wordsOf(pattern)} stay in full already.`;
  const next = withPattern(protection.said, pattern);
  if (Math.max(next.tools.length, next.paths.length) > protectLimits.patternsMax) {
    throw wrong(
      `No more than ${protectLimits.patternsMax} patterns of a kind can be protected; /cm unprotect one first.`,
    );
  }
  protection.say(next);
  return `${wordsOf(pattern)} stay in full in this session, also after it is resumed. What was folded before stays folded.`;
}

/** Takes back what was protected in this session. */
export async function unprotect(host: CommandHost, argument: string): Promise<string> {
  const { protection } = requireSteering(requireManaged(host));
  if (argument === "") throw wrong("Say what is to be protected no more; /cm protect lists it.");
  const pattern = patternIn(argument);
  if (has(protection.said, pattern)) {
    protection.say(withoutPattern(protection.said, pattern));
    if (!has(protection.bySettings, pattern)) return `${wordsOf(pattern)} may be folded again.`;
  }
  const { bySettings } = protection;
  if (has(bySettings, pattern)) {
    return `${wordsOf(pattern)} are protected by your settings ("protect"); that holds for each session.`;
  }
  throw wrong(`${visibleLine(argument, commandLimits.noteCharsMax)} is not protected; /cm protect lists what is.`);
}

function patternIn(argument: string): Pattern {
  if (/^[ft]\d+$/.test(argument)) {
    throw wrong(
      `${argument} is a single text: /cm pin ${argument} keeps it. /cm protect takes a pattern, such as *.md.`,
    );
  }
  const pattern = argument.length > protectLimits.patternCharsMax ? undefined : toPattern(argument, homedir());
  if (pattern !== undefined && (pattern.of !== "prompts" || pattern.count <= protectLimits.promptsMax)) return pattern;
  throw wrong("Name files (*.md, docs/), a tool (tool:bash, tool:mcp_*), or the newest prompts (prompts:3).");
}

const wrong = (message: string): CmError => new CmError("pi/invalid-input", message);

function wordsOf(pattern: Pattern): string {
  if (pattern.of === "prompts") return promptWords(pattern.count);
  const shown = visibleLine(pattern.pattern, commandLimits.noteCharsMax);
  return pattern.of === "tools" ? `Outputs of ${shown}` : `Texts of files like ${shown}`;
}

const promptWords = (count: number): string =>
  `Your newest ${count === 1 ? "prompt" : counted(count, "prompt")} and all that came of ${count === 1 ? "it" : "them"}`;

function protectedList({ said, bySettings }: { readonly said: Protection; readonly bySettings: Protection }): string {
  const rows = [...rowsOf(bySettings, "by your settings"), ...rowsOf(said, "in this session")];
  const how = "/cm protect *.md, tool:bash or prompts:3 protects more; /cm unprotect takes it back.";
  if (rows.length === 0) return `Nothing is protected. ${how}`;
  return ["These stay in full as long as the model's window has room:", ...rows, how].join("\n");
}

function rowsOf({ tools, paths, prompts }: Protection, by: string): readonly string[] {
  const patterns = [...paths, ...tools.map((name) => `tool:${name}`), ...(prompts > 0 ? [`prompts:${prompts}`] : [])];
  return patterns.map((pattern) => `  ${visibleLine(pattern, commandLimits.fieldCharsMax)}  (${by})`);
}
