import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface FlakyServer {
  readonly url: string;
  /** Requests so far. */
  readonly count: () => number;
  close(): Promise<void>;
}

/** Answers the n-th request by the n-th behaviour, and all later ones by the last. */
export async function flakyServer(
  ...behaviours: readonly ((response: ServerResponse) => void)[]
): Promise<FlakyServer> {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume();
    const behave = behaviours[Math.min(count, behaviours.length - 1)];
    count += 1;
    request.once("end", () => behave?.(response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    count: () => count,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const status =
  (code: number, headers: Record<string, string> = {}, body = "{}") =>
  (response: ServerResponse): void => {
    response.writeHead(code, headers).end(body);
  };

export const ok = status(200, {}, '{"fine":true}');
/** More is announced than comes. */
export const cut = (response: ServerResponse): void => {
  response.writeHead(200, { "content-length": "1000" });
  response.write('{"half":', () => response.destroy());
};
export const hang = (): void => {};
