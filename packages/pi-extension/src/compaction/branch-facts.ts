import { defined } from "@cm/object-model";
import type { PiMessage, SessionEntry } from "../pi/pi-types.ts";

/** A file that calls named, as the agent wrote its path. */
export interface TouchedFile {
  readonly path: string;
  readonly edited: boolean;
}

/** What a piece of Pi's branch says by itself, without session and store. Oldest first. */
export interface BranchFacts {
  readonly prompts: readonly string[];
  /** In the order in which they were touched last. */
  readonly files: readonly TouchedFile[];
  readonly newestAnswer?: string;
}

export function branchFacts(entries: readonly SessionEntry[]): BranchFacts {
  const prompts: string[] = [];
  const files = new Map<string, TouchedFile>();
  let newestAnswer: string | undefined;
  for (const entry of entries) {
    if (entry.type !== "message") continue;
    const { message } = entry;
    if (message.role === "user") prompts.push(...textOf(message.content));
    if (message.role !== "assistant") continue;
    for (const file of filesOf(message)) {
      const edited = file.edited || files.get(file.path)?.edited === true;
      files.delete(file.path);
      files.set(file.path, { ...file, edited });
    }
    if (message.stopReason !== "error" && message.stopReason !== "aborted") {
      newestAnswer = textOf(message.content)[0] ?? newestAnswer;
    }
  }
  return { prompts, files: [...files.values()], ...defined({ newestAnswer }) };
}

/** Pi's tools that name one file; of others the path's argument is unknown. */
const fileTools: ReadonlyMap<string, { readonly edited: boolean }> = new Map([
  ["read", { edited: false }],
  ["edit", { edited: true }],
  ["write", { edited: true }],
]);

/** Old session files have answers whose content is null. */
function filesOf({ content }: Extract<PiMessage, { role: "assistant" }>): readonly TouchedFile[] {
  return blocksOf(content).flatMap((block) => {
    const tool = block.type === "toolCall" ? fileTools.get(block.name) : undefined;
    if (tool === undefined || block.type !== "toolCall") return [];
    const path: unknown = block.arguments?.path;
    return typeof path === "string" && path !== "" ? [{ path, edited: tool.edited }] : [];
  });
}

const blocksOf = <Block>(content: readonly Block[] | null): readonly Block[] => content ?? [];

/** All its text as one, or none. */
function textOf(
  content: string | readonly { readonly type: string; readonly text?: string }[] | null,
): readonly string[] {
  const texts = typeof content === "string" ? [content] : (content ?? []).flatMap(({ text }) => text ?? []);
  const text = texts.join("\n").trim();
  return text === "" ? [] : [text];
}
