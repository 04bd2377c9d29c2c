import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * What happens to the next statement that names a word. `before`: it never arrives, and the connection ends. `after`: it is
 * done, and its answer is lost with the connection. `silent`: it is done, and no answer ever comes.
 */
export type Cut = "before" | "after" | "silent";

export interface CuttingProxy {
  readonly url: string;
  /** Statements that named the word since the start, cut ones included. */
  readonly seen: number;
  cut(...cuts: readonly Cut[]): void;
  /**
   * New connections lead to another Postgres, as those of a virtual address do once it moved. Those that are open stay, and with
   * `silent` get no answer any more, nor an end, as from a machine that is gone.
   */
  moveTo(target: string, open?: "silent"): void;
  close(): Promise<void>;
}

/** Passes bytes on to a Postgres, but for statements that name `word`, which are cut as planned, in their order. */
export async function openCuttingProxy(target: string, word: string): Promise<CuttingProxy> {
  const { port: first } = new URL(target);
  const sockets = new Set<Socket>();
  let { hostname, port } = new URL(target);
  let moves = 0;
  let silentBefore = 0;
  let plan: Cut[] = [];
  let seen = 0;
  const server = createServer({ noDelay: true }, (client) => {
    const behind = connect({ host: hostname, port: Number(port), noDelay: true });
    let how: Cut | undefined;
    const born = moves;
    const isSilent = (): boolean => how === "silent" || born < silentBefore;
    const end = (): void => {
      if (born < silentBefore) return;
      client.destroy();
      behind.destroy();
    };
    for (const socket of [client, behind]) sockets.add(socket.on("error", end).on("close", end));
    client.on("data", (bytes) => {
      if (born < silentBefore) return;
      if (bytes.includes(word)) {
        seen += 1;
        how = plan.shift();
        if (how === "before") return end();
      }
      behind.write(bytes);
    });
    behind.on("data", (bytes) => {
      if (how === "after") return end();
      if (!isSilent()) client.write(bytes);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: target.replace(`:${first}/`, `:${(server.address() as AddressInfo).port}/`),
    get seen() {
      return seen;
    },
    cut: (...cuts) => {
      plan = [...cuts];
    },
    moveTo: (next, open) => {
      ({ hostname, port } = new URL(next));
      moves += 1;
      if (open === "silent") silentBefore = moves;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
