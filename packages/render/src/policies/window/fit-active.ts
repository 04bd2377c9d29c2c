import { type ContextView, messageBytes, type PromptDecision, placeOfPart, type RenderedPrompt } from "@cm/context-log";
import { nonEmpty } from "@cm/object-model";
import { cutLargePrompts, cutNewestCalls, cutPrompts } from "./cut-texts.ts";
import { lowMark, newestSteps, omitSkeleton, omitUntilFits } from "./omit-earlier.ts";
import { WeighedChat } from "./weighed-chat.ts";

/** A member of the active set, in what a prompt with all of them weighs. */
interface ActiveMember {
  readonly id: string;
  readonly bytes: number;
  /** What goes first: text that is neither new nor pinned, then new text, then what is pinned. */
  readonly rank: 0 | 1 | 2;
  /** The newest step with a call that named it; -1 where none did. */
  readonly touched: number;
}

const unbounded = Number.POSITIVE_INFINITY;

/** What a line of ours weighs about each object that it names, quotes and blank included, and beside them. */
const noticeBytes = 40;

/** What the pool may take of a full window, as a share of it: beside a longer list nothing of the work would stand. */
const poolShareMax = 0.5;

type Render = (view: ContextView, decision: PromptDecision) => RenderedPrompt;

/**
 * Makes a decision fit the view's window under layouts where the active set decides what is shown: of the pool the oldest
 * lines leave where it takes half of the window, then members of the set leave that it has no room for at all, then what was
 * touched longest ago, pins last, and then whole calls of earlier turns leave the conversation, or before it where they fill
 * half of the window. Where the newest calls alone are too much, or prompts of the current turn are, they are cut before all
 * else; other prompts of that turn only where nothing else helps. They stay cut while the window is full. What gives way
 * stands in `deactivate`, `omit`, `forms`, `poolChars` and `reasons`. For `foldToBytes` neither what is new nor a pin leaves.
 *
 * @param render the heaviest layout that the decision is meant for
 */
export function fitActive(view: ContextView, wanted: PromptDecision, render: Render): PromptDecision {
  const { foldToBytes = unbounded, window: { bytesMax = unbounded } = {} } = view;
  const least = Math.min(bytesMax, foldToBytes);
  if (least === unbounded) return wanted;
  const { messages } = render(view, wanted);
  const { bytes } = new WeighedChat(view, messages);
  if (bytes <= least) return wanted;
  const decision = bytes > bytesMax ? { ...wanted, ...cutBefore(view), ...poolWithin(messages, bytesMax) } : wanted;
  const give = (one: PromptDecision, cuts: Cuts = {}): Given => giveWay(view, one, { render, ...cuts });
  const whole = give(decision);
  if (whole.bytes <= bytesMax) return whole.decision;
  const cut = give(decision, { first: cutNewest });
  if (cut.bytes <= bytesMax) return cut.decision;
  // A list may not take the room of what a person says.
  return give({ ...decision, poolChars: 0 }, { first: cutNewest, last: cutPrompts }).decision;
}

/** What no window has room for. */
function cutNewest(chat: WeighedChat, bytesMax: number): void {
  cutNewestCalls(chat, bytesMax);
  cutLargePrompts(chat, bytesMax);
}

/** What stands in other forms since a window was full. */
function cutBefore({ log, forms }: ContextView): Pick<PromptDecision, "forms"> {
  const isSaid = (part: string): boolean => ["user", "assistant"].includes(log[placeOfPart(part)]?.kind ?? "");
  const said = [...forms].filter(([part]) => isSaid(part));
  return said.length === 0 ? {} : { forms: Object.fromEntries(said) };
}

function poolWithin(messages: RenderedPrompt["messages"], bytesMax: number): Pick<PromptDecision, "poolChars"> {
  const pool = messages.find(({ id }) => id.startsWith("pool~"));
  const bytes = pool === undefined ? 0 : messageBytes(pool);
  const most = poolShareMax * bytesMax;
  return pool === undefined || bytes <= most ? {} : { poolChars: Math.floor((pool.chars * most) / bytes) };
}

type Cut = (chat: WeighedChat, bytesMax: number) => void;

/** What is cut before anything leaves, and what where that is not enough. */
interface Cuts {
  readonly first?: Cut;
  readonly last?: Cut;
}

interface Given {
  readonly decision: PromptDecision;
  /** Of what is left. */
  readonly bytes: number;
}

function giveWay(
  view: ContextView,
  { forms = {}, ...decision }: PromptDecision,
  { render, first, last }: Cuts & { readonly render: Render },
): Given {
  const { foldToBytes = unbounded, window: { bytesMax = unbounded } = {} } = view;
  const { messages } = render(view, { ...decision, forms });
  const chat = new WeighedChat(view, messages, forms);
  first?.(chat, bytesMax);
  const low = Math.min(foldToBytes, chat.bytes > bytesMax ? Math.floor(lowMark * bytesMax) : bytesMax);
  if (chat.bytes > bytesMax) omitSkeleton(chat, bytesMax, () => true);
  let { bytes } = chat;
  const leaving: ActiveMember[] = [];
  for (const member of tooLargeFirst(inOrder(view, messages), bytesMax - bytes)) {
    if (bytes <= (member.rank === 0 ? low : bytesMax)) break;
    bytes -= member.bytes;
    if (member.rank === 2) bytes += (leaving.at(-1)?.rank === 2 ? 0 : noticeBytes) + Buffer.byteLength(member.id) + 3;
    leaving.push(member);
  }
  chat.lighten(chat.bytes - bytes);
  omitUntilFits(chat, bytesMax);
  last?.(chat, bytesMax);
  return { decision: without({ ...decision, ...chat.changes }, leaving), bytes: chat.bytes };
}

/** What is too much whatever else leaves the set takes nothing along. @param room what is free, below 0 where nothing is */
function tooLargeFirst(members: readonly ActiveMember[], room: number): readonly ActiveMember[] {
  const most = members.reduce((sum, { bytes }) => sum + bytes, room);
  return members.toSorted((a, b) => Number(b.bytes > most) - Number(a.bytes > most));
}

function inOrder(view: ContextView, messages: RenderedPrompt["messages"]): readonly ActiveMember[] {
  const touched = new Map<string, number>();
  for (const entry of view.log) {
    if (entry.kind !== "result") continue;
    for (const id of [entry.object, ...entry.files]) touched.set(id, entry.step);
  }
  const places = new Map([...view.sets.index].map((id, place) => [id, place]));
  const newest = view.step - newestSteps;
  return messages
    .flatMap((message): readonly ActiveMember[] => {
      const id = /^active~(.*)~/s.exec(message.id)?.[1];
      if (id === undefined) return [];
      const at = touched.get(id) ?? -1;
      const rank = view.sets.pinned.has(id) ? 2 : at > newest ? 1 : 0;
      return [{ id, bytes: messageBytes(message), rank, touched: at }];
    })
    .sort((a, b) => a.rank - b.rank || a.touched - b.touched || (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
}

function without(decision: PromptDecision, leaving: readonly ActiveMember[]): PromptDecision {
  if (leaving.length === 0) return decision;
  const ids = leaving.map(({ id }) => id);
  const released = leaving.flatMap(({ id, rank }) => (rank === 2 ? [id] : []));
  const unpinned = leaving.flatMap(({ id, rank }) => (rank === 2 ? [] : [id]));
  return {
    ...decision,
    deactivate: [...(decision.deactivate ?? []), ...ids].sort(),
    ...nonEmpty({ release: released }),
    reasons: {
      ...decision.reasons,
      ...nonEmpty({ "window: least recently touched": unpinned, "window: pin released": released }),
    },
  };
}
