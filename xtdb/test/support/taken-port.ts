import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { onTestFinished } from "vitest";

/** A port of loopback at which another program listens until the test is over. */
export async function takenPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
