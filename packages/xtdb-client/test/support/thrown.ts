import { XtdbError } from "../../src/index.ts";

/** The XtdbError that a call ends with; anything else is thrown on. */
export async function rejected(promise: Promise<unknown>): Promise<XtdbError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof XtdbError) return error;
    throw error;
  }
  throw new Error("the call succeeded");
}

/** The same for what throws at once. */
export function thrown(run: () => unknown): XtdbError {
  try {
    run();
  } catch (error) {
    if (error instanceof XtdbError) return error;
    throw error;
  }
  throw new Error("the call succeeded");
}
