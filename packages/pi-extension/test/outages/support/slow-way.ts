import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";

export interface SlowWay {
  readonly url: string;
  /** By how much each answer is late from now on, in milliseconds. */
  delayMs: number;
  close(): void;
}

/** Passes everything on to a port of this machine; answers come late. */
export async function openSlowWay(port: number): Promise<SlowWay> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect(port, "127.0.0.1");
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => [client, target].map((each) => each.destroy()));
    }
    client.pipe(target);
    let sent = Promise.resolve();
    target.on("data", (piece) => {
      const late = setTimeout(way.delayMs, undefined, { ref: false });
      sent = Promise.all([sent, late]).then(() => void client.write(piece));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const way: SlowWay = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    delayMs: 0,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  return way;
}
