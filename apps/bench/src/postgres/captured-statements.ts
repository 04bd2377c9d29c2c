import pg from "pg";

type Query = (this: pg.Client, ...values: unknown[]) => unknown;

/** Notes the values of every statement that names a word, as the client sends them, while the work is under way. */
export async function capturedValues(
  word: string,
  work: () => Promise<void>,
): Promise<readonly (readonly unknown[])[]> {
  const captured: (readonly unknown[])[] = [];
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [config] = given as [{ readonly text?: string; readonly values?: readonly unknown[] }];
    if (config?.text?.includes(word) === true) captured.push(config.values ?? []);
    return query.apply(this, given);
  };
  try {
    await work();
    return captured;
  } finally {
    prototype.query = query;
  }
}
