import { type AssistantEntry, type ContextView, isNote, type UserEntry, type ViewObject } from "@cm/context-log";
import type { Block } from "@cm/prompt-grammar";
import { boundedField } from "@cm/prompt-grammar";
import { resumedBlock } from "../../src/layouts/note-blocks.ts";

/** What a prompt must say, straight from the view and without a look at any rendered text. */
export function expectedSsot(view: ContextView, named: "id" | "alias"): readonly Block[] {
  const nameOf = (id: string): string => boundedField(named === "id" ? id : (view.objects.get(id)?.alias ?? id));
  const inOrder = (set: ReadonlySet<string>): ViewObject[] =>
    [...view.sets.index].filter((id) => set.has(id)).flatMap((id) => view.objects.get(id) ?? []);
  const chat = view.log.flatMap((entry): Block[] => {
    if (entry.kind === "resumed") return [resumedBlock(entry, nameOf)];
    if (entry.kind === "released") return [{ kind: "released", ids: entry.objects.map(nameOf) }];
    if (entry.kind === "omitted" || isNote(entry)) return [];
    if (entry.kind !== "result") return [spoken(entry)];
    const { callId, object, tool, status } = entry;
    return [{ kind: "reference", callId, id: nameOf(object), tool: boundedField(tool), status }];
  });
  const active = inOrder(view.sets.active).map((object): Block => {
    const state = object.textless === undefined ? {} : { state: object.textless };
    return { kind: "active", id: nameOf(object.id), ...state, text: object.text };
  });
  return [
    { kind: "system", text: view.systemPrompt },
    ...inOrder(view.sets.pool).map((object) => poolLine(object, nameOf(object.id))),
    ...chat,
    ...active,
  ];
}

function poolLine(object: ViewObject, id: string): Block {
  const marks = {
    ...(object.redactions === undefined ? {} : { redactions: object.redactions }),
    ...(object.textless === undefined ? {} : { textless: object.textless }),
  };
  if (object.kind === "toolcall") {
    const { tool = "", status = "ok" } = object;
    return { kind: "pool-toolcall", id, tool: boundedField(tool), status, ...marks };
  }
  const { path = "", fileType = "", charCount = 0 } = object;
  return { kind: "pool-file", id, path: boundedField(path), fileType: boundedField(fileType), charCount, ...marks };
}

function spoken(entry: UserEntry | AssistantEntry): Block {
  if (entry.kind === "user") return { kind: "user", text: entry.text };
  const calls = entry.calls.map(({ callId, tool, args }) => ({ callId, tool, args }));
  return { kind: "assistant", text: entry.text, calls };
}
