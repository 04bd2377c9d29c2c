import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface StallingProxy {
  readonly port: number;
  /** Resolves when so many bytes went through to the server: from then on nothing does. */
  readonly stalled: Promise<void>;
  close(): void;
}

/** Stands before a server on this machine, and lets through what clients send up to so many bytes. */
export async function stallingProxy(serverPort: number, bytes: number): Promise<StallingProxy> {
  const { promise: stalled, resolve } = Promise.withResolvers<void>();
  const sockets: Socket[] = [];
  let left = bytes;
  const proxy = createServer((client) => {
    const server = connect(serverPort, "127.0.0.1");
    sockets.push(client, server);
    for (const socket of [client, server]) socket.on("error", () => {});
    server.pipe(client);
    client.on("data", (chunk) => {
      left -= chunk.length;
      if (left > 0) server.write(chunk);
      else resolve();
    });
    client.on("close", () => server.destroy());
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    port: (proxy.address() as AddressInfo).port,
    stalled,
    close: () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}
