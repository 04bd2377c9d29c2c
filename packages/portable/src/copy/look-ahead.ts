/**
 * What `work` gives for each item, in their order. While the caller is at one, the next `most` are worked on, so that a store that is
 * far away is not waited for each time. What fails is told in its turn.
 */
export async function* lookAhead<T, R>(
  items: Iterable<T>,
  most: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const begun: Promise<R>[] = [];
  for (const item of items) {
    const result = work(item);
    result.catch(() => {});
    begun.push(result);
    if (begun.length <= most) continue;
    const first = begun.shift();
    if (first !== undefined) yield await first;
  }
  for (const result of begun) yield await result;
}
