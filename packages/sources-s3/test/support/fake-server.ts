import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface FakeServer {
  readonly url: string;
  /** What was asked, such as `GET /bucket/key`. */
  readonly asked: readonly string[];
  readonly connections: number;
  /** Resolves when all connections have ended that there were. */
  allGone(): Promise<unknown>;
  close(): Promise<void>;
}

/** A server on loopback that answers whatever a test wants: more, less or something else than S3 would. */
export async function fakeServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<FakeServer> {
  const asked: string[] = [];
  const gone: Promise<unknown>[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.on("error", () => {});
    answer(request, response);
  });
  // No connection ends because the server is tired of it.
  server.keepAliveTimeout = 600_000;
  server.on("connection", (socket) => gone.push(new Promise((resolve) => socket.on("close", resolve))));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    get connections() {
      return gone.length;
    },
    allGone: () => Promise.all(gone),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
