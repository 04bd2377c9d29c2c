import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

export interface UpstreamFront {
  readonly url: string;
  close(): Promise<void>;
}

/** Hands requests on to a node, those that submit without their parameters: upstream's server does not look at them. */
export async function openUpstreamFront(url: string): Promise<UpstreamFront> {
  const server = createServer((asked, answer) => {
    const path = String(asked.url).replace(/(\/submit-tx)\?.*$/, "$1");
    const { method = "GET", headers } = asked;
    const onwards = request(new URL(path, url), { method, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(answer);
    });
    onwards.on("error", () => answer.destroy());
    answer.on("close", () => onwards.destroy());
    asked.pipe(onwards);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
