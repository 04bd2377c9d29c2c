import { AsyncLocalStorage } from "node:async_hooks";

const caller = new AsyncLocalStorage<string>();

/** Whose token the request that is answered now has; undefined without tokens, and outside of requests. */
export const callerName = (): string | undefined => caller.getStore();

export const asCaller = <Result>(name: string, answer: () => Result): Result => caller.run(name, answer);
