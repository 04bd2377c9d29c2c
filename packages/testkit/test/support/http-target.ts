import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A small server that says what it got. `/chunked` and `/until-end` answer without a length, `/hangs` never. */
export interface HttpTarget {
  readonly host: string;
  readonly port: number;
  readonly got: { readonly line: string; readonly body: string }[];
  readonly sockets: ReadonlySet<Socket>;
  /** Resolves when a connection on which `/hangs` was asked has closed. */
  readonly hungUp: Promise<void>;
  close(): Promise<void>;
}

export const answer = { txId: 7, rows: Array.from({ length: 40 }, (_, n) => `row ${n}`) };

export async function openHttpTarget(): Promise<HttpTarget> {
  const got: { line: string; body: string }[] = [];
  const sockets = new Set<Socket>();
  const hungUp = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    got.push({ line: `${request.method} ${request.url}`, body });
    if (request.url === "/hangs") {
      request.socket.once("close", () => hungUp.resolve());
      return;
    }
    if (request.url === "/none") {
      response.writeHead(204).end();
      return;
    }
    const text = JSON.stringify(answer);
    if (request.url?.startsWith("/until-end")) {
      request.socket.end(`HTTP/1.1 200 OK\r\n\r\n${text}`);
      return;
    }
    response.setHeader("content-type", "application/json");
    if (request.url === "/chunked") {
      for (let at = 0; at < text.length; at += 50) response.write(text.slice(at, at + 50));
      response.end();
    } else {
      response.setHeader("content-length", text.length).end(request.method === "HEAD" ? undefined : text);
    }
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    host: "127.0.0.1",
    port,
    got,
    sockets,
    hungUp: hungUp.promise,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
