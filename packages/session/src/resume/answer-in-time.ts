/** What somebody else's promise gives within the time; undefined where it fails or takes longer. Nobody waits for it then. */
export async function answerInTime<T>(asked: () => Promise<T>, ms: number): Promise<T | undefined> {
  const { promise: expired, resolve: expire } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => expire(undefined), ms);
  try {
    return await Promise.race([asked(), expired]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
