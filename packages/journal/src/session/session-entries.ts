import { CmError } from "@cm/object-model";
import { buildSessionContext, type SessionContext } from "../context/build-session-context.ts";
import { type Dialect, dialects } from "../format/dialect.ts";
import { isKnownKind, isWellFormed } from "../format/entry-schema.ts";
import { newEntryId } from "../format/ids.ts";
import type { AgentMessage, SessionEntry, SessionEntryBase, SessionHeader } from "../format/session-entry.ts";
import type { RawObject } from "../json-lines.ts";
import { addToIndex, type EntryIndex, indexEntries, pathTo } from "../tree/entry-index.ts";
import { type SessionTreeNode, sessionTree } from "../tree/session-tree.ts";

/** The fields of an entry without its place in the tree. */
type Body<Entry> = Entry extends SessionEntryBase ? Omit<Entry, keyof SessionEntryBase> : never;
type EntryBody = Body<SessionEntry>;

export interface CompactionOptions {
  readonly shortSummary?: string;
  readonly details?: unknown;
  readonly preserveData?: RawObject;
  readonly fromExtension?: boolean;
}

export interface SessionInit {
  readonly systemPrompt: string;
  readonly task: string;
  readonly tools: readonly string[];
  readonly outputSchema?: unknown;
}

/** The entries of a session in memory: a tree that only grows, and a leaf that moves. */
export class SessionEntries {
  protected dialect: Dialect = dialects.omp;
  protected header: SessionHeader;
  protected entries: SessionEntry[] = [];
  protected index: EntryIndex = indexEntries([]);

  constructor(header: SessionHeader) {
    this.header = header;
  }

  /** Told each new entry before it counts: what it throws leaves everything as it was. */
  protected beforeAppend(): void {}
  /** Told each new entry. */
  protected appended(_entry: SessionEntry): void {}

  getHeader(): SessionHeader {
    return this.header;
  }

  getSessionId(): string {
    return this.header.id;
  }

  /** All entries in the order of the file. */
  getEntries(): SessionEntry[] {
    return [...this.entries];
  }

  getEntry(id: string): SessionEntry | undefined {
    return this.index.byId.get(id);
  }

  getChildren(parentId: string): SessionEntry[] {
    return this.entries.filter((entry) => entry.parentId === parentId);
  }

  getLeafId(): string | null {
    return this.index.leafId;
  }

  getLeafEntry(): SessionEntry | undefined {
    return this.index.leafId === null ? undefined : this.index.byId.get(this.index.leafId);
  }

  getLabel(id: string): string | undefined {
    return this.index.labels.get(id);
  }

  /** From the root to an entry, or to the leaf. */
  getBranch(fromId?: string): SessionEntry[] {
    return pathTo(fromId === undefined ? this.getLeafEntry() : this.getEntry(fromId), this.index.byId);
  }

  getTree(): SessionTreeNode[] {
    return sessionTree(this.entries, this.index);
  }

  /** What a model is sent at the leaf. */
  buildSessionContext(): SessionContext {
    return buildSessionContext(this.entries, this.index.leafId, this.index.byId, { dialect: this.dialect.name });
  }

  /** Rules that were put into the context on the way to the leaf. */
  getInjectedTtsrRules(): readonly string[] {
    return this.buildSessionContext().injectedTtsrRules;
  }

  /** The role of the last model change on the way to the leaf. */
  getLastModelChangeRole(): string | undefined {
    const change = this.getBranch().findLast((entry) => entry.type === "model_change");
    return change?.type === "model_change" ? (change.role ?? "default") : undefined;
  }

  // Each of these appends one entry below the leaf, makes it the leaf and gives its id.

  appendMessage(message: AgentMessage): string {
    return this.#append({ type: "message", message });
  }

  appendThinkingLevelChange(thinkingLevel: string | null): string {
    return this.#append({ type: "thinking_level_change", thinkingLevel });
  }

  /** @param model "provider/id" */
  appendModelChange(model: string, role?: string): string {
    return this.#append({ type: "model_change", model, ...(role === undefined ? {} : { role }) });
  }

  appendCompaction(
    summary: string,
    kept: { readonly firstKeptEntryId: string; readonly tokensBefore: number },
    options: CompactionOptions = {},
  ): string {
    return this.#append({ type: "compaction", summary, ...kept, ...options });
  }

  appendCustomEntry(customType: string, data?: unknown): string {
    return this.#append({ type: "custom", customType, ...(data === undefined ? {} : { data }) });
  }

  appendCustomMessageEntry(
    customType: string,
    content: unknown,
    { display = true, details }: { readonly display?: boolean; readonly details?: unknown } = {},
  ): string {
    const more = details === undefined ? {} : { details };
    return this.#append({ type: "custom_message", customType, content, display, ...more });
  }

  appendTtsrInjection(ruleNames: readonly string[]): string {
    return this.#append({ type: "ttsr_injection", injectedRules: [...ruleNames] });
  }

  appendSessionInit({ tools, ...init }: SessionInit): string {
    return this.#append({ type: "session_init", ...init, tools: [...tools] });
  }

  appendModeChange(mode: string, data?: RawObject): string {
    return this.#append({ type: "mode_change", mode, ...(data === undefined ? {} : { data }) });
  }

  /**
   * Names an entry; undefined or an empty text takes the name away.
   * @throws CmError `journal/unknown-entry`
   */
  appendLabelChange(targetId: string, label: string | undefined): string {
    this.mustHave(targetId);
    return this.#append({ type: "label", targetId, ...(label === undefined ? {} : { label }) });
  }

  /** Appends an entry of any kind, also one that this version does not know. Its place in the tree is given here. */
  appendEntry(body: RawObject & { readonly type: string }): string {
    return this.#append(body as unknown as EntryBody);
  }

  /**
   * Moves the leaf. Nothing is written: after the next load the last line of the file is the leaf.
   * @throws CmError `journal/unknown-entry`
   */
  branch(entryId: string): void {
    this.mustHave(entryId);
    this.index.leafId = entryId;
  }

  /** The next entry becomes another root. */
  resetLeaf(): void {
    this.index.leafId = null;
  }

  /**
   * Moves the leaf, to before all entries for null, and appends a summary of what was left.
   * @throws CmError `journal/unknown-entry`
   */
  branchWithSummary(
    targetId: string | null,
    summary: string,
    options: { readonly details?: unknown; readonly fromExtension?: boolean } = {},
  ): string {
    if (targetId !== null) this.mustHave(targetId);
    const left = this.index.leafId;
    this.beforeAppend();
    this.index.leafId = targetId;
    const fromId = this.dialect.summaryFrom(targetId, left);
    return this.#append({ type: "branch_summary", fromId, summary, ...options });
  }

  #append(body: EntryBody): string {
    this.beforeAppend();
    const id = newEntryId(this.index.byId);
    const place = { id, parentId: this.index.leafId, timestamp: new Date().toISOString() };
    const entry = this.dialect.encode({ ...body, type: body.type, ...place } as SessionEntry);
    if (isKnownKind(entry.type) && !isWellFormed(entry)) throw invalid(entry.type);
    const line = inFileOrder(entry);
    this.entries.push(line);
    addToIndex(this.index, line);
    this.appended(line);
    return id;
  }

  protected mustHave(id: string): void {
    if (this.index.byId.has(id)) return;
    throw new CmError("journal/unknown-entry", `The session has no entry ${printable(id)}; name one that it has.`, {
      id: printable(id),
    });
  }
}

/** As the programs write it: kind and place first. */
function inFileOrder(entry: SessionEntry): SessionEntry {
  const { type, id, parentId, timestamp, ...body } = entry;
  return { type, id, parentId, timestamp, ...body } as SessionEntry;
}

const printable = (id: string): string => id.replace(/[^\w.-]/g, "?").slice(0, 64);

function invalid(kind: string): CmError<"journal/invalid-entry"> {
  return new CmError(
    "journal/invalid-entry",
    `An entry of the kind ${kind} lacks a field, or one is of another type.`,
    {
      kind,
    },
  );
}
