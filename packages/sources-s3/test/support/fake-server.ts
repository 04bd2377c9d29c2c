import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface FakeServer {
  readonly url: string;
  /** What was asked, such as `GET /bucket/key`. */
  readonly asked: readonly string[];
  readonly connections: number;
  close(): Promise<void>;
}

/** A server on loopback that answers whatever a test wants: more, less or something else than S3 would. */
export async function fakeServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<FakeServer> {
  const asked: string[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.on("error", () => {});
    answer(request, response);
  });
  server.on("connection", () => {
    connections++;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    get connections() {
      return connections;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
