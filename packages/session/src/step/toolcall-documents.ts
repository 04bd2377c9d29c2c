import { type LogState, looksLikeAlias } from "@cm/context-log/state";
import {
  chatId,
  type DocumentOf,
  defined,
  type JsonObject,
  type SeenSpan,
  type StepAddress,
  sealDocument,
  toolCallIds,
} from "@cm/object-model";
import type { IndexedFile } from "../files/touches.ts";
import { touchedFile } from "../files/touches.ts";
import { argsDisplay } from "../input/args-display.ts";
import type { CleanAnswer, CleanResult } from "../input/clean-messages.ts";
import { limits } from "../limits.ts";

type Call = CleanAnswer["calls"][number];

/** A result on its way to its object: the ids it may take, and which of them it tries now. */
export interface ToolcallDraft {
  readonly result: CleanResult;
  /** The answer's call that it belongs to; absent where that call stands in an earlier step, or nowhere. */
  readonly call: Call | undefined;
  readonly tool: string;
  readonly args: JsonObject;
  readonly step: StepAddress;
  readonly place: number;
  /** The chosen one of its ids, of which there is no last one. */
  choice: number;
  /** Set where the chosen id already holds the very same call: nothing is to be written. */
  stored: boolean;
}

/**
 * Results with the calls they belong to. Where calls share an id, the first result is the first call's; beyond the
 * answer's calls, a result belongs to the oldest call of an earlier step that still waits.
 * @param place of the first result, which tells objects of one step apart
 */
export function draftToolcalls(
  results: readonly CleanResult[],
  calls: readonly Call[],
  {
    openCalls,
    step,
    place,
  }: { readonly openCalls: LogState["openCalls"]; readonly step: StepAddress; readonly place: number },
): readonly ToolcallDraft[] {
  const seen = new Map<string, number>();
  return results.map((result, at) => {
    const turn = seen.get(result.callId) ?? 0;
    seen.set(result.callId, turn + 1);
    const own = calls.filter(({ callId }) => callId === result.callId);
    const waiting = openCalls.waiting(result.callId);
    const call = own[turn];
    const { tool, args } = call ?? waiting[turn - own.length] ?? own.at(-1) ?? { tool: "unknown", args: {} };
    return { result, call, tool, args, step, place: place + at, choice: 0, stored: false };
  });
}

export function idOfDraft({ result, step, place, choice }: ToolcallDraft): string {
  const ids = candidates(result.callId, step, place);
  // The last one names session, step and place. Another writer may be at the same step: then the places go on.
  const beyond = choice - ids.length + 1;
  return (beyond > 0 ? candidates(result.callId, step, place + beyond * limits.messagesMax).at(-1) : ids[choice]) ?? "";
}

/** The chosen id and those that come after it, as far as they differ in kind. */
export function idsFrom(draft: ToolcallDraft): readonly string[] {
  const kinds = candidates(draft.result.callId, draft.step, draft.place).length;
  return Array.from({ length: Math.max(1, kinds - draft.choice) }, (_, ahead) =>
    idOfDraft({ ...draft, choice: draft.choice + ahead }),
  );
}

/** SSOT 2.4. An id that could be taken for an alias is none: `t7` means one thing only. */
function candidates(callId: string, step: StepAddress, place: number): readonly string[] {
  return toolCallIds(callId, step, place).filter((id) => !looksLikeAlias(id));
}

/** Calls never share an object: the later one takes its next id, and so does one whose id this session has already. */
export function separateDrafts(drafts: readonly ToolcallDraft[], isTaken: (id: string) => boolean): void {
  const chosen = new Set<string>();
  for (const draft of drafts) {
    while (!draft.stored && (chosen.has(idOfDraft(draft)) || isTaken(idOfDraft(draft)))) draft.choice += 1;
    chosen.add(idOfDraft(draft));
  }
}

/** The tool call's object (SSOT 2.5), with the files it named and the parts of them it showed. */
export function toolcallDocument(
  draft: ToolcallDraft,
  { session, aliases, sets }: Pick<LogState, "session" | "aliases" | "sets">,
  files: ReadonlyMap<string, IndexedFile>,
): DocumentOf<"toolcall"> {
  const { result, tool, args } = draft;
  const display = argsDisplay(args);
  const met = result.files.flatMap((touch) => {
    const file = touchedFile(files, touch);
    return file?.document === undefined ? [] : [{ file, touch }];
  });
  const fileRefs = [...new Set(met.map(({ file }) => file.id))];
  const spans = met.flatMap(({ file, touch }) => spanOf(touch, file));
  const shows = [...new Set(result.shows.map((name) => aliases.resolve(name)))].filter((id) => sets.index.has(id));
  return sealDocument(
    { type: "toolcall", id: idOfDraft(draft) },
    {
      content: result.text,
      tool,
      args,
      ...defined({ args_display: display }),
      status: result.failed ? "fail" : "ok",
      chat_ref: chatId(session),
      ...(fileRefs.length > 0 ? { file_refs: fileRefs } : {}),
      ...(spans.length > 0 ? { spans } : {}),
      ...(shows.length > 0 ? { shows } : {}),
      ...(result.attachments.length > 0 ? { attachments: [...result.attachments] } : {}),
      ...(result.redactions > 0 ? { redactions: result.redactions } : {}),
    },
  );
}

function spanOf(touch: CleanResult["files"][number], file: IndexedFile): readonly SeenSpan[] {
  if (touch.span === undefined) return [];
  const { startLine, endLine } = touch.span;
  // Of a file that could not be looked at, nobody knows which version was shown.
  const version = file.outcome === "unreachable" ? undefined : file.document;
  return [
    {
      file: file.id,
      start_line: startLine,
      ...defined({ end_line: endLine }),
      ...(version === undefined || version.content === null ? {} : { content_hash: version.content_hash }),
    },
  ];
}
