import { channel } from "node:diagnostics_channel";

const created = channel("undici:request:create");

/** The endpoints that were asked while the work ran, in order. One such work at a time. */
export async function requestsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const endpoints: string[] = [];
  const listen = (message: unknown): void => {
    const path = (message as { readonly request: { readonly path: string } }).request.path;
    endpoints.push(path.replace(/^.*\/_xtdb\//, "").replace(/\?.*$/, ""));
  };
  created.subscribe(listen);
  try {
    await work();
  } finally {
    created.unsubscribe(listen);
  }
  return endpoints;
}
