import type { PromptMessage, RenderedPrompt } from "@cm/context-log";
import type { PlacedMessage } from "../others/apply-extension-changes.ts";
import { noExtensionChanges } from "../others/extension-changes.ts";
import type { PiMessage } from "../pi/pi-types.ts";
import { type OutgoingContext, OutgoingWalk } from "./outgoing.ts";

/** Copies that are made at once before others have a turn. */
const batch = 400;

/** The messages that went out last, and how far on the branch each of them reaches. */
interface Sent {
  readonly messages: readonly PromptMessage[];
  readonly context: OutgoingContext;
  readonly places: number[];
  /** Which item of the branch each is. */
  readonly items: (number | undefined)[];
}

/**
 * A prompt as Pi takes it. Nearly all of it went out before, but nothing can be given out twice, since others may
 * change what they get: while the model answers, a second copy of everything is made, and the next request takes what
 * still holds of it.
 */
export class PreparedCopies {
  #sent: Sent | undefined;
  #preparedCopies: PiMessage[] = [];

  /** @throws CmError `pi/prompt-mismatch` where prompt and branch do not belong together */
  take({ messages }: RenderedPrompt, context: OutgoingContext): readonly PlacedMessage[] {
    const sent = this.#sent !== undefined && goesOn(this.#sent, context) ? this.#sent : undefined;
    const made = sent === undefined ? [] : this.#preparedCopies;
    const places = sent?.places ?? [];
    const items = sent?.items ?? [];
    this.#sent = undefined;
    this.#preparedCopies = [];
    // A long session has thousands at each request: what is ready is passed over without being looked at.
    let ready = Math.min(made.length, messages.length);
    let walk: OutgoingWalk | undefined;
    for (let index = 0; index < messages.length; index += 1) {
      const message = messages[index];
      if (message === undefined) continue;
      if (index < ready && sent?.messages[index] === message) {
        walk = undefined;
        continue;
      }
      walk ??= new OutgoingWalk(context, places[index - 1]);
      made[index] = walk.copyOf(message);
      // Behind an answer more or less nothing is where it was.
      if (walk.place !== places[index]) ready = 0;
      places[index] = walk.place;
      items[index] = walk.item;
    }
    made.length = messages.length;
    places.length = messages.length;
    this.#sent = { messages, context, places, items };
    return made.map((message, index) => ({ message, item: items[index] }));
  }

  /** Makes the copies for the next request, a few at a time. */
  prepare(): void {
    const sent = this.#sent;
    if (sent === undefined || this.#preparedCopies.length > 0) return;
    const walk = new OutgoingWalk(sent.context);
    const goOn = (): void => {
      if (this.#sent !== sent) return;
      const from = this.#preparedCopies.length;
      try {
        for (const message of sent.messages.slice(from, from + batch)) this.#preparedCopies.push(walk.copyOf(message));
      } catch {
        // Without a reference here, Pi would end. What cannot be copied is the next request's to answer.
        return;
      }
      if (this.#preparedCopies.length < sent.messages.length) setImmediate(goOn);
    };
    setImmediate(goOn);
  }
}

/**
 * Whether the branch is still the one that these messages are of. Entries have one parent, so equal ends mean equal
 * paths.
 */
function goesOn({ context, places }: Sent, other: OutgoingContext): boolean {
  const [items, now] = [context.items, other.items];
  const last = (places.at(-1) ?? 0) - 1;
  return now[0] === items[0] && now[last] === items[last] && haveSameVersions(context, other);
}

function haveSameVersions({ versions: one }: OutgoingContext, { versions: other }: OutgoingContext): boolean {
  const [before, now] = [one?.changed ?? noExtensionChanges.changed, other?.changed ?? noExtensionChanges.changed];
  if (before.size !== now.size) return false;
  return before.size === 0 || [...before].every(([item, version]) => now.get(item) === version);
}
