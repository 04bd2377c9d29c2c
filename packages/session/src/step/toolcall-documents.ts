import { type LogState, looksLikeAlias } from "@cm/context-log/state";
import {
  canonicalJson,
  chatId,
  type DocumentOf,
  defined,
  isDocumentOf,
  type JsonObject,
  limits as modelLimits,
  nonEmpty,
  type ObjectStore,
  type SeenSpan,
  type StepAddress,
  sealDocument,
  toolCallIds,
} from "@cm/object-model";
import type { NewestWrites } from "../files/stored-files.ts";
import { type IndexedFile, touchedFile } from "../files/touches.ts";
import type { CleanAnswer, CleanResult } from "../input/clean.ts";
import { limits } from "../limits.ts";

type Call = CleanAnswer["calls"][number];

/** A result on its way to its object: the ids it may take, and which of them it tries now. */
export interface ToolcallDraft {
  readonly result: CleanResult;
  /** Those that came behind it in the same answer. */
  readonly later: readonly CleanResult[];
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
 * @param choice which of its ids each tries first: the next one where the first is likely to be another session's
 */
export function draftToolcalls(
  results: readonly CleanResult[],
  calls: readonly Call[],
  {
    openCalls,
    step,
    place,
    choice = 0,
  }: {
    readonly openCalls: LogState["openCalls"];
    readonly step: StepAddress;
    readonly place: number;
    readonly choice?: number;
  },
): readonly ToolcallDraft[] {
  const seen = new Map<string, number>();
  return results.map((result, at) => {
    const turn = seen.get(result.callId) ?? 0;
    seen.set(result.callId, turn + 1);
    const own = calls.filter(({ callId }) => callId === result.callId);
    const waiting = openCalls.waiting(result.callId);
    const call = own[turn];
    const { tool, args } = call ?? waiting[turn - own.length] ?? own.at(-1) ?? { tool: "unknown", args: {} };
    const later = results.slice(at + 1);
    return { result, later, call, tool, args, step, place: place + at, choice, stored: false };
  });
}

export function idOfDraft({ result, step, place, choice }: ToolcallDraft): string {
  const ids = candidates(result.callId, step, place);
  // The last one names session, step and place. Another writer may be at the same step: then the places go on.
  const beyond = choice - ids.length + 1;
  return (beyond > 0 ? candidates(result.callId, step, place + beyond * limits.messagesMax).at(-1) : ids[choice]) ?? "";
}

/** The chosen id and those that come after it, as far as they differ in kind. */
function idsFrom(draft: ToolcallDraft): readonly string[] {
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
  const { result, later, tool, args } = draft;
  const display = argsDisplay(args);
  const met = result.files.flatMap((touch) => {
    const file = touchedFile(files, touch);
    return file?.document === undefined ? [] : [{ file, touch }];
  });
  const fileRefs = [...new Set(met.map(({ file }) => file.id))];
  const isEdited = (id: string): boolean =>
    later.some((one) => one.files.some((touch) => touch.as === "edited" && touchedFile(files, touch)?.id === id));
  const spans = met.flatMap(({ file, touch }) => spanOf(touch, file, isEdited(file.id)));
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
      ...nonEmpty({ file_refs: fileRefs, spans, shows, attachments: [...result.attachments] }),
      ...(result.redactions > 0 ? { redactions: result.redactions } : {}),
      ...defined({ id_chain: result.idChain }),
    },
  );
}

/** @param isEdited the same answer changed it behind this touch */
function spanOf(touch: CleanResult["files"][number], file: IndexedFile, isEdited: boolean): readonly SeenSpan[] {
  if (touch.span === undefined) return [];
  const { startLine, endLine } = touch.span;
  // Files are looked at behind all calls: of one that cannot be looked at, or may have changed by then, the version shown is unknown.
  const isUnknown = file.outcome === "unreachable" || isEdited || touch.isPast === true;
  const version = isUnknown ? undefined : file.document;
  return [
    {
      file: file.id,
      start_line: startLine,
      ...defined({ end_line: endLine }),
      ...(version === undefined || version.content === null ? {} : { content_hash: version.content_hash }),
    },
  ];
}

/**
 * After a conflict over taken ids: the same call, repeated, keeps its id; another call takes its next one.
 * @returns whether one of the ids is that of another session's call
 */
export async function settleToolcalls(
  store: ObjectStore,
  state: Pick<LogState, "session" | "aliases" | "sets" | "objects">,
  drafts: readonly ToolcallDraft[],
  { lost, indexed }: { readonly lost: NewestWrites; readonly indexed: ReadonlyMap<string, IndexedFile> },
): Promise<boolean> {
  const taken = drafts.filter((draft) => lost.has(idOfDraft(draft)));
  if (taken.length === 0) return false;
  // All that may be tried are looked up at once: a provider that starts anew has used the next ones, too.
  const stored = await store.getMany(taken.flatMap(idsFrom), undefined, { texts: "later" });
  let isOthers = false;
  for (const draft of taken) {
    for (let there = stored.get(idOfDraft(draft)); there !== undefined; there = stored.get(idOfDraft(draft))) {
      const own = toolcallDocument(draft, state, indexed);
      draft.stored =
        there.contentHash === own.content_hash && there.type === "toolcall" && !state.objects.has(there.id);
      if (draft.stored) break;
      draft.choice += 1;
      isOthers ||= isDocumentOf(there.document, "toolcall") && there.document.chat_ref !== chatId(state.session);
    }
  }
  return isOthers;
}

/** Arguments that say best what a call is about, over the tools of common harnesses, in order of preference. */
const telling = [
  "path",
  "file_path",
  "filePath",
  "command",
  "cmd",
  "pattern",
  "query",
  "url",
  "description",
  "prompt",
] as const;

/** `args_display` (SSOT 2.5): one bounded line that tells a person what the call was about. */
function argsDisplay(args: JsonObject): string | undefined {
  const named = telling.map((name) => (Object.hasOwn(args, name) ? args[name] : undefined)).find(isText);
  const text = named ?? (Object.keys(args).length === 0 ? "" : canonicalJson(args));
  const line = oneLine(text);
  return line === "" ? undefined : line;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

/** Control characters, separators and marks that change reading direction become spaces. */
function oneLine(text: string): string {
  const line = text
    .slice(0, modelLimits.argsDisplayCharsMax * 4)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  const bound = modelLimits.argsDisplayCharsMax;
  return (line.length > bound ? `${line.slice(0, bound - 1)}…` : line).toWellFormed();
}
