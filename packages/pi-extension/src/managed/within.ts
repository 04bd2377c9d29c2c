import { piError } from "../errors.ts";

/** The answer, or `pi/unavailable` after that time. What was asked goes on, and its failure is nobody's surprise. */
export async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  work.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(piError("pi/unavailable", `The database gave no answer in ${ms} ms.`, { ms })), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
