import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface LoopbackRegistry {
  readonly url: string;
  /** The lines of an `.npmrc` that npm and pnpm need to publish. */
  readonly credentials: string;
  close(): Promise<void>;
}

/**
 * A real npm registry on a free port of this machine, in a process of its own. `@cm/*` lives in it alone; every other
 * name is answered from `upstream`. Publishing needs a user, as it does outside; one is made for the occasion.
 */
export async function openLoopbackRegistry(upstream: string): Promise<LoopbackRegistry> {
  const folder = mkdtempSync(join(tmpdir(), "registry-"));
  const server = fork(join(import.meta.dirname, "loopback-registry-server.ts"), [folder, upstream]);
  const exited = once(server, "exit");
  const port = await Promise.race([
    once(server, "message").then(([message]) => Number(message)),
    exited.then(([code, signal]) =>
      Promise.reject(new Error(`The loopback registry did not start (${code ?? signal}).`)),
    ),
  ]);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    credentials: `//127.0.0.1:${port}/:_authToken=${await signUp(url)}\n`,
    close: async () => {
      if (server.connected) server.disconnect();
      const [code, signal] = await exited;
      rmSync(folder, { recursive: true, force: true });
      if (code !== 0) throw new Error(`The loopback registry failed under way (${code ?? signal}).`);
    },
  };
}

async function signUp(url: string): Promise<string> {
  const response = await fetch(`${url}/-/user/org.couchdb.user:releaser`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "releaser", password: crypto.randomUUID() }),
  });
  const { token } = (await response.json()) as { token?: string };
  if (token === undefined) throw new Error(`The loopback registry gave no token (status ${response.status}).`);
  return token;
}
