import {
  type AssistantEntry,
  argsPart,
  type CallEntry,
  type ContextView,
  callOfPart,
  type LogChanges,
  type LogEntry,
  type LogTable,
  NumberColumn,
  placeOfPart,
  type RecalledEntry,
  type ResultEntry,
  resultPart,
  type UserEntry,
} from "@cm/context-log";
import { defined, type JsonObject } from "@cm/object-model";
import { type FileAction, fileActions, type ToolAction, toolAction } from "@cm/tool-calls";
import { cutArgs, withoutReplaced } from "../../layouts/log/cut-text.ts";
import { argsName, savedByArgs } from "../../layouts/log/log-message.ts";
import { fullForm } from "../../layouts/log/log-places.ts";
import { noteChars } from "../../layouts/log/notes.ts";
import { resultInForm } from "../../layouts/log/result.ts";
import { argsChars } from "../../layouts/messages/content.ts";
import { assistantMessage } from "../../layouts/messages/verbatim.ts";
import { CoEdits } from "./co-edits.ts";
import { FileNames, onlyFile } from "./file-names.ts";
import { isWorthFolding, type Part, type PartFacts, partAt, type Touch } from "./part.ts";

const noParts: readonly Part[] = [];

/** The parts of a log, and what happened to each file: facts that a result may add to, and that never change else. */
export class LogParts {
  readonly parts: Part[] = [];
  /** The parts whose form may be another than full, and arguments whose call waits for its result. */
  readonly formable: Part[] = [];
  readonly touches: Touch[] = [];
  /** The file of each touch, in their order: what is kept of files is brought up to date by it. */
  readonly touchedFiles: number[] = [];
  /** The step at which each turn began. */
  readonly turnSteps: number[] = [];
  /** The turns in which a file was edited or written. */
  readonly editedTurns = new Set<number>();
  readonly files = new FileNames();
  readonly coEdits = new CoEdits();
  /** Length of the plain log: what was said, called and answered, without what was recalled. */
  plainChars = 0;
  /** Length of the whole log in full. */
  chars = 0;
  /** By a file's object: the newest step at which the result of a call was about that file alone, or showed it. */
  readonly touchedAt = new Map<string, number>();
  /** The file that an output is about, by the output's object. */
  readonly fileOfOutput = new Map<string, string>();
  /** Where the parts of each entry begin in `parts`. */
  readonly #starts = new NumberColumn(new Uint32Array());
  readonly #argsOf = new Map<string, Part>();
  /** The first result of each object. */
  readonly #resultOf = new Map<string, ResultEntry>();
  /** Arguments of edits, by the call's object, until their result is known. */
  readonly #openEdits = new Map<string, { readonly part: Part; readonly args: JsonObject }>();

  readOn(view: ContextView, { from, to, parts }: LogChanges): void {
    for (const key of parts) this.#giveObject(view, key);
    this.#starts.reserve(to);
    for (let at = from; at < to; at += 1) {
      const entry = view.log[at];
      if (entry === undefined) continue;
      this.#begin(entry);
      if (entry.kind === "user") this.#readUser(entry);
      else if (entry.kind === "assistant") this.#readAssistant(view, entry);
      else if (entry.kind === "result") this.#readResult(view, entry);
      else if (entry.kind === "recalled") this.#readRecalled(view, entry);
      else if (entry.kind === "omitted") this.plainChars += entry.chars;
      else this.#add(entry, { class: "text", chars: noteChars(view, entry, fullForm) });
    }
  }

  #begin(entry: LogEntry): void {
    this.#starts.push(this.parts.length);
    while (this.turnSteps.length <= entry.turn) this.turnSteps.push(entry.step);
  }

  #readUser(entry: UserEntry): void {
    this.#add(entry, { class: "text", chars: entry.text.length });
    this.plainChars += entry.text.length;
  }

  #readAssistant(view: ContextView, entry: AssistantEntry): void {
    if (entry.text !== "") this.#add(entry, { class: "text", chars: entry.text.length });
    this.plainChars += assistantMessage(entry).chars;
    entry.calls.forEach((call, place) => {
      const action = toolAction(call.tool, call.args);
      const changes = action.does === "edit" || action.does === "write";
      const part = this.#add(entry, {
        key: argsPart(entry.at, place),
        class: changes ? "change-args" : "brief",
        chars: argsChars(call.args),
        folded: foldedArgsChars(view, entry, call),
        // Without an object nothing could bring them back.
        foldable: call.object !== undefined,
        file: action.does === "other" ? undefined : this.files.numberOf(action.path, onlyFile(call.files)),
        object: call.object,
        tool: call.tool,
        isArgs: true,
        isBesideThinking: entry.thinking.length > 0,
      });
      this.#knowArgs(part, call, action);
    });
  }

  /** A result that came in a later step gave the call an object, which has its arguments. */
  #giveObject(view: ContextView, key: string): void {
    const entry = view.log[placeOfPart(key)];
    if (entry?.kind !== "assistant") return;
    const call = entry.calls[callOfPart(key)];
    if (call?.object === undefined) return;
    const part = this.partsAt(placeOfPart(key)).find((one) => one.key === key);
    if (part === undefined || part.object !== undefined) return;
    part.object = call.object;
    part.folded = foldedArgsChars(view, entry, call);
    part.foldable = isWorthFolding(part);
    this.#knowArgs(part, call, toolAction(call.tool, call.args));
  }

  #knowArgs(part: Part, { object, args }: CallEntry, { does }: ToolAction): void {
    if (object === undefined) return;
    this.#argsOf.set(object, part);
    if (does === "edit" && part.foldable) this.#openEdits.set(object, { part, args });
  }

  #readResult(view: ContextView, entry: ResultEntry): void {
    if (!this.#resultOf.has(entry.object)) this.#resultOf.set(entry.object, entry);
    const seen = entry.spans[0]?.file ?? onlyFile(entry.files);
    if (seen !== undefined) {
      this.touchedAt.set(seen, entry.step);
      this.fileOfOutput.set(entry.object, seen);
    }
    const action = toolAction(entry.tool, entry.args, entry);
    const file = action.does === "other" ? undefined : this.files.numberOf(action.path, onlyFile(entry.files));
    const hasFailed = entry.status === "fail" || (action.does !== "other" && action.failed === true);
    const failedRead = action.does === "read" && hasFailed;
    const shown = entry.shows === undefined ? undefined : this.#fileOf(entry.shows[0] ?? "");
    const part = this.#add(entry, {
      key: resultPart(entry.at),
      class:
        shown !== undefined
          ? "recalled"
          : failedRead || file === undefined
            ? "brief"
            : action.does === "read"
              ? "read"
              : "change",
      chars: resultInForm(view, entry, fullForm).chars,
      folded: resultInForm(view, entry, { form: "reference" }).chars,
      foldable: entry.text !== null && entry.attachments.length === 0,
      file: shown?.file ?? file,
      object: entry.object,
      tool: entry.tool,
      ...defined({ shows: entry.shows }),
    });
    if (shown?.file !== undefined) this.touchOf(shown.file).parts.push(part);
    this.plainChars += entry.text?.length ?? 0;
    this.#settleEdit(view, entry, hasFailed);
    if (part.class === "read" && file !== undefined) this.touchOf(file).parts.push(part);
    for (const one of fileActions(action)) this.#touch(entry, one, hasFailed);
  }

  #touch(entry: ResultEntry, action: FileAction, hasFailed: boolean): void {
    const file = this.files.numberOf(action.path, onlyFile(entry.files));
    const touch = this.touchOf(file);
    touch.step = entry.step;
    touch.turn = entry.turn;
    this.touchedFiles.push(file);
    if (action.does === "read" || hasFailed) return;
    touch.editedAt = entry.at;
    this.editedTurns.add(entry.turn);
    this.coEdits.add(file, entry.step);
  }

  /** An edit that failed keeps the text that it would have replaced. */
  #settleEdit(view: ContextView, entry: ResultEntry, hasFailed: boolean): void {
    const { object } = entry;
    const edit = this.#openEdits.get(object);
    this.#openEdits.delete(object);
    if (edit === undefined || hasFailed) return;
    const saved = savedByArgs(edit.args, withoutReplaced(edit.args, argsName(view, entry, object)));
    if (saved > 0) edit.part.replaced = argsChars(edit.args) - saved;
  }

  /** The file that an object's text was read from, if any. */
  #fileOf(object: string): { readonly file: number | undefined } {
    const shows = this.#resultOf.get(object);
    const action = shows === undefined ? undefined : toolAction(shows.tool, shows.args);
    const ofCall =
      action === undefined || action.does === "other" ? undefined : this.files.numberOf(action.path, undefined);
    return { file: this.files.numberOfId(object) ?? ofCall };
  }

  #readRecalled(view: ContextView, entry: RecalledEntry): void {
    const { file } = this.#fileOf(entry.object);
    const part = this.#add(entry, {
      key: resultPart(entry.at),
      class: "recalled",
      chars: noteChars(view, entry, fullForm),
      folded: 0,
      foldable: true,
      file,
      object: entry.object,
    });
    if (file !== undefined) this.touchOf(file).parts.push(part);
  }

  /** The parts of an entry that can have a form, in their order. */
  partsAt(at: number): readonly Part[] {
    if (at < 0 || at >= this.#starts.length) return [];
    const start = this.#starts.at(at);
    const end = at + 1 < this.#starts.length ? this.#starts.at(at + 1) : this.parts.length;
    return start === end ? noParts : this.parts.slice(start, end).filter(({ key }) => key !== "");
  }

  /** The arguments of the call that a result answers; undefined where they cannot be referred to. */
  argsOf({ object }: Part): Part | undefined {
    return object === undefined ? undefined : this.#argsOf.get(object);
  }

  /** Characters, in full, of what stands in a request for the first time at this step. */
  charsSince(step: number): number {
    let chars = 0;
    for (let place = this.parts.length - 1; place >= 0; place -= 1) {
      const part = this.parts[place];
      if (part === undefined || part.step < step) break;
      chars += part.chars;
    }
    return chars;
  }

  touchOf(file: number): Touch {
    const known = this.touches[file];
    if (known !== undefined) return known;
    const touch: Touch = { step: 0, turn: 0, editedAt: -1, parts: [] };
    this.touches[file] = touch;
    return touch;
  }

  #add(entry: LogEntry, facts: PartFacts): Part {
    const part = partAt(entry, this.chars, facts);
    this.parts.push(part);
    const waits = part.isArgs && part.object === undefined;
    if (part.foldable || waits || part.class === "read" || part.class === "change") this.formable.push(part);
    this.chars += part.chars;
    return part;
  }
}

/** Characters of a call's arguments behind a reference. */
function foldedArgsChars(view: ContextView, entry: LogEntry, { args, object }: CallEntry): number {
  return argsChars(args) - savedByArgs(args, cutArgs(args, argsName(view, entry, object)));
}

const parts: LogTable<LogParts> = {
  name: "parts",
  create: () => new LogParts(),
  update: (facts, view, changes) => facts.readOn(view, changes),
};

/** The facts of a view's log. */
export const partsOf = (view: ContextView): LogParts => view.index.table(parts, view);
