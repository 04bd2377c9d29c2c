import { type ContextView, messageBytes, type PromptDecision, type RenderedPrompt } from "@cm/context-log";
import { nonEmpty } from "@cm/object-model";
import { lowMark, newestSteps, omitSkeleton, omitUntilFits, WeighedChat } from "./omit-earlier.ts";

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

/**
 * Makes a decision fit the view's window under layouts where the active set decides what is shown: what was touched
 * longest ago leaves the set, pins last, and then whole calls of earlier turns leave the conversation, or before it where
 * they fill half of the window. The pool stays as it is. What leaves stands in `deactivate`, `omit` and `reasons`. For `foldToBytes` neither what is new nor a pin leaves.
 *
 * @param render the heaviest layout that the decision is meant for
 */
export function fitActive(
  view: ContextView,
  decision: PromptDecision,
  render: (view: ContextView, decision: PromptDecision) => RenderedPrompt,
): PromptDecision {
  const { foldToBytes = unbounded, window: { bytesMax = unbounded } = {} } = view;
  const least = Math.min(bytesMax, foldToBytes);
  if (least === unbounded) return decision;
  const { messages } = render(view, decision);
  const chat = new WeighedChat(view, messages);
  if (chat.bytes <= least) return decision;
  const low = Math.min(foldToBytes, chat.bytes > bytesMax ? Math.floor(lowMark * bytesMax) : bytesMax);
  if (chat.bytes > bytesMax) omitSkeleton(chat, bytesMax, () => true);
  let { bytes } = chat;
  const leaving: ActiveMember[] = [];
  for (const member of inOrder(view, messages)) {
    if (bytes <= (member.rank === 0 ? low : bytesMax)) break;
    bytes -= member.bytes;
    if (member.rank === 2) bytes += (leaving.at(-1)?.rank === 2 ? 0 : noticeBytes) + Buffer.byteLength(member.id) + 3;
    leaving.push(member);
  }
  chat.lighten(chat.bytes - bytes);
  omitUntilFits(chat, bytesMax);
  return without({ ...decision, ...chat.omission }, leaving);
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
