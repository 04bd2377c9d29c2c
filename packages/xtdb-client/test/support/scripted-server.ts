import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface ScriptedRequest {
  /** "GET /_xtdb/status" */
  readonly line: string;
  readonly head: string;
  readonly body: string;
  /** Counted from 0 over all connections. */
  readonly number: number;
}

export type Script = (request: ScriptedRequest, socket: Socket) => void;

export interface ScriptedServer {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly ScriptedRequest[];
  readonly connections: number;
  /** Ends all connections and refuses new ones; done by itself after the test. */
  close(): Promise<void>;
}

/** Speaks as much HTTP as a test needs: reads whole requests and lets the script write what it likes. */
export async function scriptedServer(script: Script, onPort = 0): Promise<ScriptedServer> {
  const requests: ScriptedRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      for (let next = firstRequest(received); next !== undefined; next = firstRequest(received)) {
        received = received.slice(next.length);
        const request = { ...next.request, number: requests.length };
        requests.push(request);
        script(request, socket);
      }
    });
  });
  server.listen(onPort, "127.0.0.1");
  await once(server, "listening");
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  };
  onTestFinished(close);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close,
    requests,
    get connections() {
      return connections;
    },
  };
}

function firstRequest(text: string): { request: Omit<ScriptedRequest, "number">; length: number } | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const head = text.slice(0, end);
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  if (text.length < end + 4 + length) return undefined;
  const body = Buffer.from(text.slice(end + 4, end + 4 + length), "latin1").toString("utf8");
  const [line = ""] = head.split(" HTTP/");
  return { request: { line, head, body }, length: end + 4 + length };
}

export interface Reply {
  readonly status?: number;
  readonly type?: string;
  readonly body?: string | Buffer;
  readonly headers?: string;
}

/** A whole, well-formed answer. */
export function reply(
  socket: Socket,
  { status = 200, type = "application/json", body = "", headers = "" }: Reply,
): void {
  const bytes = Buffer.from(body);
  socket.write(`HTTP/1.1 ${status} X\r\ncontent-type: ${type}\r\ncontent-length: ${bytes.length}\r\n${headers}\r\n`);
  socket.write(bytes);
}

export const edn = "application/edn";

/** What a well-behaved node says to this request. */
export function goodReply({ line }: ScriptedRequest, socket: Socket): void {
  const path = line.replace(/^\w+ .*\/_xtdb\//, "").replace(/\?.*/, "");
  const [status, type, body] = goodAnswers[path] ?? [404, "text/plain", ""];
  reply(socket, { status, type, body });
}

export const tx = '{:xtdb.api/tx-id 7, :xtdb.api/tx-time #inst "2026-01-02T03:04:05.678-00:00"}';

export const goodAnswers: Readonly<Record<string, readonly [number, string, string]>> = {
  status: [200, "application/json", '{"version":"1.24.5","kvStore":"x","size":null,"ingesterFailed?":false}'],
  "submit-tx": [202, edn, tx],
  "tx-committed": [200, "application/json", '{"txCommitted?":true}'],
  "await-tx": [200, edn, tx],
  sync: [200, edn, '{:xtdb.api/tx-time #inst "2026-01-02T03:04:05.678-00:00"}'],
  "latest-completed-tx": [200, edn, tx],
  "latest-submitted-tx": [200, "application/json", '{"txId":7}'],
  db: [200, edn, `{:xtdb.api/valid-time #inst "2026-01-02T03:04:05.678-00:00", :xtdb.api/tx ${tx}}`],
  entity: [200, "application/json", '{"xt/id":"a","n":1}'],
  "entity-tx": [
    200,
    edn,
    `{:xt/id #xtdb/id "${"1".repeat(40)}", :xtdb.api/content-hash #xtdb/id "${"2".repeat(40)}", :xtdb.api/valid-time #inst "2026-01-02T03:04:05.678-00:00", ${tx.slice(1)}`,
  ],
  query: [200, "application/json", '[["a",{"xt/id":"a","n":1}]]'],
  "tx-log": [200, edn, `(${tx} ${tx})`],
};
