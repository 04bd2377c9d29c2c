import { subscribe, unsubscribe } from "node:diagnostics_channel";

/** How many HTTP requests went out while `run` ran, by undici's own account. */
export async function countedRequests<Value>(run: () => Promise<Value>): Promise<{ value: Value; requests: number }> {
  let requests = 0;
  const count = (): void => {
    requests += 1;
  };
  subscribe("undici:request:create", count);
  try {
    const value = await run();
    return { value, requests };
  } finally {
    unsubscribe("undici:request:create", count);
  }
}
