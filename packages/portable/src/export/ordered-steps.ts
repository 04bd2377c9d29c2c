import type { FoundStep, Scope } from "./found-steps.ts";
import { damaged } from "./read-heads.ts";

/**
 * Steps in an order in which they may have been written: those of one session by number, none before what it continues
 * or merges, and otherwise by time.
 * @throws CmError `bundle/damaged-session` for steps that continue themselves
 */
export function orderedSteps({ steps }: Scope, session: string): readonly FoundStep[] {
  const queues = bySession(steps.values());
  const done = new Set<string>();
  const ordered: FoundStep[] = [];
  const isReady = ({ after }: FoundStep) => after.every((id) => done.has(id) || !steps.has(id));
  while (ordered.length < steps.size) {
    const ready = queues.filter(({ list, next }) => next < list.length && isReady(list[next] as FoundStep));
    const first = ready.sort((a, b) => compared(a.list[a.next] as FoundStep, b.list[b.next] as FoundStep))[0];
    const step = first?.list[first.next];
    if (first === undefined || step === undefined) throw damaged(session, "its steps continue themselves");
    first.next += 1;
    done.add(step.id);
    ordered.push(step);
  }
  return ordered;
}

interface Queue {
  readonly list: readonly FoundStep[];
  next: number;
}

function bySession(steps: Iterable<FoundStep>): Queue[] {
  const lists = new Map<string, FoundStep[]>();
  for (const step of steps) {
    const list = lists.get(step.session);
    if (list === undefined) lists.set(step.session, [step]);
    else list.push(step);
  }
  return [...lists.values()].map((list) => ({ list: list.sort((a, b) => a.n - b.n), next: 0 }));
}

function compared(a: FoundStep, b: FoundStep): number {
  if (a.timeMs !== b.timeMs) return a.timeMs - b.timeMs;
  return a.session < b.session ? -1 : 1;
}
