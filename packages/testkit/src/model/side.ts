import {
  type AsOf,
  type CommitReceipt,
  canonicalJson,
  defined,
  type HistoryPage,
  isCmError,
  type ListedVersion,
  type ObjectDocument,
  type ObjectStore,
  type Page,
  type StoredVersion,
} from "@cm/object-model";
import { pagesOf } from "../object-store/asking.ts";
import { clockStart } from "../object-store/clock.ts";
import type { Command, Expectation, Look } from "./commands.ts";
import { questions, subjectIds, subjects } from "./subjects.ts";

/**
 * One of two stores that run the same commands. Tokens and bases are opaque and differ between them; here they stand by
 * the order in which they were given out, so that equal answers are equal texts.
 */
export class Side {
  readonly #store: ObjectStore;
  readonly #tokens: string[] = [];
  readonly #tokenNumbers = new Map<string, number>();
  readonly #newest = new Map<string, string>();
  readonly #bases: string[] = [];
  readonly #baseNumbers = new Map<string, number>();

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /** What the command answered, as text. */
  run(command: Command): Promise<string> {
    return this.#answer(() => this.#run(command));
  }

  /** Everything as it is now, and as `look` asks. */
  state(look: Look): Promise<string> {
    return this.#answer(async () => {
      const now = await this.#store.getMany(subjectIds);
      const then = await this.#store.getMany(subjectIds, this.#asOf(look));
      return `now:\n${this.#versions(now)}\nthen:\n${this.#versions(then)}`;
    });
  }

  history(id: string): Promise<string> {
    return this.#answer(() => this.#pages((page) => this.#store.history(id, { ...page, limit: 7 })));
  }

  close(): Promise<void> {
    return this.#store.close?.() ?? Promise.resolve();
  }

  /** Refusals are answers, and so is whatever else is thrown. */
  async #answer(ask: () => Promise<string>): Promise<string> {
    try {
      return await ask();
    } catch (error) {
      if (!isCmError(error)) return `crashed: ${error}`;
      const { ids, actual } = error.data;
      const tokens = Array.isArray(actual) ? actual.map((token) => this.#tokenName(`${token}`)) : [];
      return `refused: ${error.code} ${ids ?? ""} ${tokens}`;
    }
  }

  async #pages(ask: (page: Page) => Promise<HistoryPage>): Promise<string> {
    const pages = await pagesOf(ask, { documents: true });
    return pages.map((rows) => rows.map((version) => this.#version(version)).join("\n")).join("\n--\n");
  }

  async #run(command: Command): Promise<string> {
    switch (command.kind) {
      case "commit":
        return this.#commit(command);
      case "erase": {
        const receipt = await this.#store.erase(command.ids.map(idOf), "a reason");
        this.#addBasis(receipt.basis);
        const { erased, shared, unknown } = receipt;
        return JSON.stringify([erased, shared, [...unknown].sort(), receipt.at.getTime()]);
      }
      case "find": {
        const { filter = {}, order = "id" } = questions[command.filter % questions.length] ?? {};
        return this.#pages((page) => this.#store.find(filter, { ...page, order, limit: command.limit }));
      }
      case "clock":
        return "";
    }
  }

  async #commit({ writes, validMs, request }: Extract<Command, { kind: "commit" }>): Promise<string> {
    const receipt = await this.#store.commit(
      writes.map(({ subject, expect }) => this.#write(subjectOf(subject), expect)),
      {
        ...defined({ validTime: validMs === undefined ? undefined : new Date(clockStart + validMs) }),
        ...defined({ requestId: request === undefined ? undefined : `request ${request}` }),
      },
    );
    this.#remember(receipt);
    const results = receipt.results.map(({ id, outcome, token }) => [id, outcome, this.#tokenName(token)]);
    return JSON.stringify([this.#baseName(receipt.basis), receipt.transactionTime.getTime(), results]);
  }

  #write(document: ObjectDocument, expect: Expectation) {
    if (expect === "any" || expect === "absent") return { document, expect };
    const newest = this.#newest.get(document["xt/id"]) ?? "absent";
    const token = expect === "newest" ? newest : this.#tokens[expect % Math.max(1, this.#tokens.length)];
    return { document, expect: token ?? "no such token" };
  }

  #remember(receipt: CommitReceipt): void {
    if (this.#baseNumbers.has(receipt.basis)) return;
    this.#addBasis(receipt.basis);
    for (const { id, outcome, token } of receipt.results) {
      if (outcome !== "written") continue;
      this.#tokenNumbers.set(token, this.#tokens.push(token) - 1);
      this.#newest.set(id, token);
    }
  }

  #addBasis(basis: string): void {
    this.#baseNumbers.set(basis, this.#bases.push(basis) - 1);
  }

  #asOf({ basis, validMs }: Look): AsOf {
    const known = basis === undefined ? undefined : this.#bases[basis % Math.max(1, this.#bases.length)];
    return {
      ...defined({ basis: known, validTime: validMs === undefined ? undefined : new Date(clockStart + validMs) }),
    };
  }

  #versions(found: ReadonlyMap<string, StoredVersion>): string {
    return subjectIds.map((id) => this.#version(found.get(id))).join("\n");
  }

  #version(version: ListedVersion | StoredVersion | undefined): string {
    if (version === undefined) return "none";
    const { id, type, contentHash, validTime, transactionTime, document, erased } = version;
    const gone = erased === undefined ? "" : `erased ${erased.reason} ${erased.at.getTime()}`;
    const times = `${validTime.getTime()} ${transactionTime.getTime()}`;
    const stamp = `${id} ${type} ${this.#tokenName(version.token)} ${this.#baseName(version.basis)} ${times}`;
    return `${stamp} ${contentHash.slice(0, 8)} ${textOf(document)} ${gone}`;
  }

  #tokenName(token: string): string {
    return token === "absent" ? token : `token ${this.#tokenNumbers.get(token) ?? "unknown"}`;
  }

  #baseName(basis: string): string {
    return `basis ${this.#baseNumbers.get(basis) ?? "unknown"}`;
  }
}

const idOf = (place: number): string => subjectIds[place % subjectIds.length] ?? "";

function subjectOf(place: number): ObjectDocument {
  const subject = subjects[place % subjects.length];
  if (subject === undefined) throw new RangeError("There are no subjects.");
  return subject;
}

/** Canonical JSON of documents that are frozen and met again and again. */
const known = new WeakMap<ObjectDocument, string>();

function textOf(document: ObjectDocument | undefined): string {
  if (document === undefined) return "";
  const text = known.get(document) ?? canonicalJson(document);
  if (Object.isFrozen(document)) known.set(document, text);
  return text;
}
