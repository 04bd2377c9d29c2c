import { type ContextView, indexedView, type Prices } from "@cm/context-log";
import { forSeeds } from "../random/for-seeds.ts";
import type { Random } from "../random/random.ts";
import type { PolicySubject } from "./policy-subject.ts";
import { randomSession } from "./random-session.ts";
import { RecordedSession, type SessionRequest } from "./recorded-session.ts";

/** One request of a session, with the view as it was before the policy saw it. */
export interface Moment extends SessionRequest {
  readonly random: Random;
  readonly before: SessionRequest | undefined;
  readonly prices: Prices;
}

export interface MomentOptions {
  readonly steps?: number;
  /** Each session has other ones unless told. */
  readonly prices?: Prices;
  readonly bytesMax?: number;
  /** Pins, dismissals and requests now and then; true unless told. */
  readonly wishes?: boolean;
}

/** Vectors of common providers: cheap cached prefix, half price, no caching. */
export const pricesTried: readonly Prices[] = [
  { read: 0.1, write: 1.25 },
  { read: 0.5, write: 1 },
  { read: 1, write: 1 },
];

const headChars = 4_000;

/**
 * Past a check comes every request of some random sessions, with wishes of an agent and cold caches in between. The
 * check may keep nothing of a moment but the request before it.
 */
export async function eachMoment(
  { policy, renderer }: PolicySubject,
  { steps = 30, bytesMax, wishes = true, ...options }: MomentOptions,
  check: (moment: Moment) => void,
): Promise<void> {
  await forSeeds({ short: 2, long: 60 }, (random, seed) => {
    const prices = options.prices ?? pricesTried[seed % pricesTried.length] ?? { read: 1, write: 1 };
    const window = bytesMax === undefined ? {} : { window: { bytesMax } };
    const session = new RecordedSession({ policy, renderer, prices, headChars, ...window });
    let before: SessionRequest | undefined;
    for (const event of randomSession(random, { steps })) {
      if (event.kind === "assistant") {
        if (wishes) wish(random, session);
        if (random.chance(0.1)) session.cache = "cold";
        const view = copyOfView(session.view());
        const request = { ...session.request(), view };
        check({ ...request, random, before, prices });
        before = request;
      }
      session.add(event);
    }
  });
}

function wish(random: Random, session: RecordedSession): void {
  const ids = [...session.index];
  if (ids.length === 0) return;
  if (random.chance(0.2)) session.pinned.add(random.pick(ids));
  if (random.chance(0.1)) session.dismissed.add(random.pick(ids));
  if (random.chance(0.2)) for (const id of random.shuffled(ids).slice(0, 2)) session.requested.add(id);
}

/** A view whose log, sets and maps are its own: what happens later does not reach it. */
function copyOfView(view: ContextView): ContextView {
  return indexedView({
    ...view,
    log: [...view.log],
    objects: new Map(view.objects),
    forms: new Map(view.forms),
    sets: structuredClone(view.sets),
  });
}

/** A view of which nothing is shared with another one: no entry, no text, no index. */
export function clonedView({ index: _index, ...view }: ContextView): ContextView {
  return indexedView(structuredClone(view));
}
