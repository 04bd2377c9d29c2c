import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runServer } from "verdaccio";
import { registryCertificates } from "./npm-registry.ts";

export interface LoopbackRegistry {
  readonly url: string;
  /** What npm and pnpm need to publish: lines of an `.npmrc`. */
  readonly credentials: string;
  close(): Promise<void>;
}

/**
 * A real npm registry on a free port of this machine. `@cm/*` lives in it alone; every other name is answered from
 * `upstream`. Publishing needs a user, as it does outside; one is made for the occasion.
 */
export async function openLoopbackRegistry(upstream: string): Promise<LoopbackRegistry> {
  const folder = mkdtempSync(join(tmpdir(), "registry-"));
  const server = await listen(await runServer(configuration(folder, upstream)));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    credentials: `//127.0.0.1:${port}/:_authToken=${await signUp(url)}\n`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          rmSync(folder, { recursive: true, force: true });
          resolve();
        });
        // npm keeps its connections open.
        server.closeAllConnections();
      }),
  };
}

function configuration(folder: string, upstream: string) {
  const certificates = registryCertificates();
  const agent = certificates === undefined ? {} : { agent_options: { ca: readFileSync(certificates, "utf8") } };
  return {
    configPath: join(folder, "config.yaml"),
    storage: join(folder, "storage"),
    auth: { htpasswd: { file: join(folder, "htpasswd"), max_users: 1 } },
    // A busy machine is slow, not gone: by default the second late answer takes the upstream away for minutes.
    uplinks: { upstream: { url: upstream, timeout: "60s", max_fails: 1000, ...agent } },
    packages: {
      "@cm/*": { access: "$all", publish: "$authenticated" },
      "**": { access: "$all", proxy: "upstream" },
    },
    web: { enable: false },
    log: { type: "stdout", format: "pretty", level: "fatal" },
  };
}

function listen(application: import("node:http").Server): Promise<import("node:http").Server> {
  return new Promise((resolve, reject) => {
    const server = application.listen(0, "127.0.0.1", () => resolve(server));
    server.on("error", reject);
  });
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
