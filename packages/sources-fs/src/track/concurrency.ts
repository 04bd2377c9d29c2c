import { withDeadline } from "@cm/object-model";

/** Calls `work` for each item, at most `count` at a time, in order of start. The first failure rejects at the end. */
export async function forEachConcurrently<T>(
  count: number,
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = iterator.next(); !next.done; next = iterator.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: count }, worker));
}

/** The answer, or a rejection with code `ETIMEDOUT` after `ms`: a network mount that is gone may never answer. */
export function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  return withDeadline(answer, ms, () => {
    throw Object.assign(new Error("no answer in time"), { code: "ETIMEDOUT" });
  });
}
