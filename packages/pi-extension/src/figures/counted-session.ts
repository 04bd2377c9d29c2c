import { defined } from "@cm/object-model";
import { linkType } from "../link/link-entry.ts";
import type { PiMessage, PiModel, SessionEntry } from "../pi/pi-types.ts";
import type { Retention } from "../provider/prices-of.ts";
import { type Bill, type BilledTokens, charged, emptyBill } from "./bill.ts";
import type { CompactionSettings } from "./compaction-settings.ts";
import { messageOf } from "./entry-message.ts";
import { figuresType, type KeptFigures } from "./kept-figures.ts";
import { figureLimits } from "./limits.ts";
import { sizeOf } from "./message-size.ts";
import { PlainCache } from "./plain-cache.ts";
import { PlainLog, type SummarySizes } from "./plain-log.ts";
import { PlainTokens, type SentRequest } from "./plain-tokens.ts";
import { ratesOf } from "./rates.ts";
import { inputOf, type ReportedUsage, soundUsage } from "./reported-usage.ts";

/** What counting asks of Pi. */
export interface CountedSide {
  /** Characters of system prompt and tools; of these, our own tool's. */
  head(): { readonly chars: number; readonly ownChars: number };
  modelOf(provider: string, id: string): PiModel | undefined;
  readonly retention: Retention;
  compaction(model: string): CompactionSettings;
}

type Assistant = Extract<PiMessage, { role: "assistant" }>;
type Compaction = Extract<SessionEntry, { type: "compaction" }>;
type Usage = Assistant["usage"];

/**
 * What one branch was billed, and what the same work would have been in a Pi without us: that one has the branch's own
 * messages, compacts where Pi would, and pays for its summaries. Both sides are counted at the same request. Entries
 * are added in their order.
 */
export class CountedSession {
  readonly #side: CountedSide;
  readonly #log = new PlainLog();
  readonly #plain = new PlainTokens(this.#log);
  #cache = new PlainCache();
  #bill: Bill = emptyBill;
  #requests = 0;
  #context: KeptFigures["context"] = { ours: 0, plain: 0, reported: true };
  #model = "";
  /** Of all messages so far. */
  #blocks = 0;
  /** Before us, Pi's own usage and compactions are those of a Pi without us. */
  #isManaged = false;
  /** It is known whether Pi would compact behind the newest answer. */
  #isSettled = true;
  #isBroken = false;
  /** Characters of the head of the newest request; undefined where it was not measured. */
  #headChars: number | undefined;

  constructor(side: CountedSide, known?: { readonly kept: KeptFigures; readonly entries: readonly SessionEntry[] }) {
    this.#side = side;
    if (known !== undefined) this.#restore(known.kept, known.entries);
  }

  get requests(): number {
    return this.#requests;
  }

  get bill(): Bill {
    return this.#bill;
  }

  get context(): KeptFigures["context"] {
    return this.#context;
  }

  /** By how many characters others make a request longer that has this message in place of an entry's. */
  difference(entry: string, message: PiMessage | null): number {
    return this.#log.difference(entry, message);
  }

  kept(): KeptFigures {
    const { first } = this.#log;
    return {
      ...{ v: 1, requests: this.#requests, bill: this.#bill, context: this.#context },
      charsPerToken: this.#log.charsPerToken,
      ...defined({ kept: first }),
      plain: { head: this.#plain.headTokens, summary: this.#log.summaryTokens, messages: this.#log.partTokens },
      blocks: this.#blocks,
      served: this.#cache.served.map(([...each]) => each),
    };
  }

  /** @param sent the request that an answer is for, where it is known */
  add(entry: SessionEntry, sent?: SentRequest): void {
    switch (entry.type) {
      case "message":
        if (entry.message.role === "assistant") this.#answered(entry.id, entry.message, sent);
        else this.#said(entry.id, entry.message);
        break;
      case "model_change":
        this.#model = `${entry.provider}/${entry.modelId}`;
        break;
      case "compaction":
        this.#compacted(entry);
        break;
      case "custom":
        this.#isManaged ||= entry.customType === linkType || entry.customType === figuresType;
        break;
      default: {
        const message = messageOf(entry);
        if (message !== undefined) this.#said(entry.id, message);
      }
    }
  }

  #said(entry: string, message: PiMessage): void {
    if (message.role !== "toolResult") this.#settle();
    else if (message.usage !== undefined) this.#chargeBoth(message.usage);
    this.#add(entry, message);
  }

  #add(entry: string, message: PiMessage): void {
    this.#log.add(entry, message);
    this.#blocks += sizeOf(message).blocks;
  }

  #answered(entry: string, message: Assistant, sent: SentRequest | undefined): void {
    const { provider, model, stopReason } = message;
    const usage = soundUsage(message.usage);
    this.#isBroken = stopReason === "error";
    if (stopReason === "error" && inputOf(usage) === 0) return;
    if (stopReason === "aborted" && inputOf(usage) === 0) return;
    if (sent !== undefined) this.#isManaged = true;
    this.#model = `${provider}/${model}`;
    this.#settle();
    this.#requests += 1;
    const billed = this.#billedOf(message, usage, sent);
    const total = inputOf(billed);
    this.#measure(inputOf(usage), sent);
    const plain = this.#plain.total + (sent?.othersChars ?? 0) / this.#log.charsPerToken;
    const { bill } = this;
    const rates = this.#rates(total);
    const plainRates = this.#rates(plain);
    const paired = {
      ...{ model: this.#model, ours: billed, plainTokens: plain, rates: plainRates },
      ...{ headTokens: this.#plain.headTokens, blocks: this.#blocks },
      // While the extension is off, requests are not measured and lack its tool.
      isOurs: this.#isManaged && (sent === undefined || sent.headChars !== (this.#headChars ?? sent.headChars)),
    };
    const dollars = inputOf(usage) === 0 ? undefined : usage.dollars;
    this.#bill = {
      ours: charged(bill.ours, billed, rates, dollars),
      plain: charged(bill.plain, this.#cache.bill(paired), plainRates),
      unpriced: bill.unpriced + (rates.inMoney ? 0 : 1),
    };
    this.#headChars = sent?.headChars ?? 0;
    const { output } = billed;
    this.#context = { ours: total + output, plain: plain + output, reported: inputOf(usage) > 0 };
    this.#add(entry, message);
    this.#isSettled = false;
  }

  /** What the provider reported; where it said nothing, an estimate. */
  #billedOf(message: Assistant, usage: ReportedUsage, sent: SentRequest | undefined): BilledTokens {
    if (inputOf(usage) > 0) return usage;
    const ratio = this.#log.charsPerToken;
    const chars = sent === undefined ? this.#plainHead() + this.#log.chars : sent.headChars + sent.chars;
    const cacheRead = sent === undefined || sent.commonChars === 0 ? 0 : (sent.headChars + sent.commonChars) / ratio;
    return { input: chars / ratio - cacheRead, cacheRead, cacheWrite: 0, output: sizeOf(message).sent / ratio };
  }

  /** @param tokens that the provider counted; 0 where it said nothing */
  #measure(tokens: number, sent: SentRequest | undefined): void {
    const plainHeadChars = this.#plainHead();
    if (tokens > 0 && this.#isManaged) this.#plain.counted({ model: this.#model, tokens, sent, plainHeadChars });
    else if (tokens > 0) this.#plain.known(tokens, plainHeadChars);
    else this.#plain.estimated(plainHeadChars);
  }

  #plainHead(): number {
    const { chars, ownChars } = this.#side.head();
    return chars - ownChars;
  }

  #rates(tokens: number) {
    return ratesOf(this.#modelNow(), tokens, this.#side.retention);
  }

  #modelNow(): PiModel | undefined {
    const slash = this.#model.indexOf("/");
    return this.#side.modelOf(this.#model.slice(0, slash), this.#model.slice(slash + 1));
  }

  /** Pi looks behind each answer, and once more before the next request, whether it has to compact. */
  #settle(): void {
    if (this.#isSettled || !this.#isManaged) return;
    this.#isSettled = true;
    const tokens = this.#context.plain + this.#log.outputTokens();
    if (this.#isBeyond(tokens)) this.#compact(assumedSizes);
  }

  #isBeyond(tokens: number): boolean {
    const window = this.#modelNow()?.contextWindow ?? 0;
    const { enabled, reserveTokens } = this.#side.compaction(this.#model);
    return enabled && window > 0 && tokens > window - reserveTokens;
  }

  #compacted(entry: Compaction): void {
    const { summary, usage, tokensBefore, fromHook } = entry;
    if (usage !== undefined && this.#isManaged) this.#chargeOurs(usage);
    if (!this.#isManaged) {
      if (usage !== undefined) this.#chargeBoth(usage);
      this.#log.keepFrom(entry.firstKeptEntryId, summary.length / this.#log.charsPerToken);
      this.#forget();
      return;
    }
    // One that Pi asks for by itself comes of what we sent; a Pi without us has compacted where its own messages ask
    // for it.
    if (this.#isBroken || this.#isBeyond(tokensBefore)) return;
    const isWritten = usage !== undefined || fromHook !== true;
    this.#compact(isWritten ? { history: summary.length, turn: 0, whole: summary.length } : assumedSizes);
  }

  #compact(sizes: SummarySizes): void {
    const { keepRecentTokens } = this.#side.compaction(this.#model);
    const request = this.#log.compact(keepRecentTokens, sizes);
    this.#isSettled = true;
    if (request === undefined) return;
    this.#forget();
    const billed = { ...request, cacheRead: 0, cacheWrite: 0 };
    this.#bill = { ...this.#bill, plain: charged(this.#bill.plain, billed, this.#rates(request.input)) };
  }

  #forget(): void {
    this.#cache.compacted(this.#plain.headTokens);
  }

  #chargeOurs(usage: Usage): void {
    const billed = soundUsage(usage);
    const rates = this.#rates(inputOf(billed));
    this.#bill = { ...this.#bill, ours: charged(this.#bill.ours, billed, rates, billed.dollars) };
  }

  #chargeBoth(usage: Usage): void {
    this.#chargeOurs(usage);
    const billed = soundUsage(usage);
    const rates = this.#rates(inputOf(billed));
    this.#bill = { ...this.#bill, plain: charged(this.#bill.plain, billed, rates, billed.dollars) };
  }

  /** @param entries up to the place where the figures were kept */
  #restore(kept: KeptFigures, entries: readonly SessionEntry[]): void {
    this.#log.charsPerToken = kept.charsPerToken;
    let isKept = false;
    for (const entry of entries) {
      isKept ||= entry.id === kept.kept;
      const message = messageOf(entry);
      if (message === undefined) continue;
      if (isKept) this.#log.add(entry.id, message);
      else this.#log.addSummarized(message);
    }
    this.#log.keepFrom(kept.kept ?? "", kept.plain.summary);
    this.#log.countAs(kept.plain.messages);
    this.#log.requested();
    this.#plain.headTokens = kept.plain.head;
    this.#cache = new PlainCache(kept.served);
    this.#bill = kept.bill;
    this.#requests = kept.requests;
    this.#blocks = kept.blocks;
    this.#context = kept.context;
    this.#isManaged = true;
    this.#isSettled = false;
    for (const entry of entries) {
      if (entry.type !== "message" || entry.message.role !== "assistant") continue;
      const { provider, model, usage } = entry.message;
      this.#model = `${provider}/${model}`;
      if (soundUsage(usage).cacheRead > 0) this.#cache.seen(this.#model);
    }
  }
}

const assumedSizes: SummarySizes = { history: figureLimits.summaryChars, turn: figureLimits.turnSummaryChars };
