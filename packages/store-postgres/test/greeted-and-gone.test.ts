// Verifies: F1: a server that goes in the moment in which it greets ends a call, and not the process.
import { once } from "node:events";
import { createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { openPostgresStore } from "../src/index.ts";

/** A message of Postgres' protocol: a letter, a length that counts itself, and what it says. */
function message(letter: string, said: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + said.length);
  return Buffer.concat([Buffer.from(letter), length, said]);
}

const welcome = [message("R", Buffer.alloc(4)), message("Z", Buffer.from("I"))];
const gone = message("E", Buffer.from("SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0"));

it("says that the store cannot be reached where its server greets and goes in one piece", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(Buffer.concat([...welcome, gone])));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };

  const opened = openPostgresStore({ url: `postgres://cm@127.0.0.1:${port}/cm`, deadlineMs: 300 });

  await expect(opened).rejects.toMatchObject({ code: "store/unavailable" });
});
