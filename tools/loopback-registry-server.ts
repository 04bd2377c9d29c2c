/**
 * The process that `loopback-registry.ts` starts: `node loopback-registry-server.ts FOLDER UPSTREAM`. Sends its port to
 * the parent when it answers, and ends with it.
 */
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { runServer } from "verdaccio";
import { registryCertificates } from "./npm-registry.ts";

const [folder = "", upstream = ""] = process.argv.slice(2);

// Verdaccio asks for a tarball's size while it already sends it. If the size comes second, setting the header is
// refused with an uncaught error; the answer itself is complete. Any other fault ends this process and fails the test.
process.on("unhandledRejection", (error) => {
  if (!(error instanceof Error && "code" in error && error.code === "ERR_HTTP_HEADERS_SENT")) throw error;
});
process.on("disconnect", () => process.exit());

const server = (await runServer(configuration())).listen(0, "127.0.0.1", () => {
  process.send?.((server.address() as AddressInfo).port);
});

function configuration() {
  const certificates = registryCertificates();
  const agent = certificates === undefined ? {} : { agent_options: { ca: readFileSync(certificates, "utf8") } };
  return {
    configPath: join(folder, "config.yaml"),
    storage: join(folder, "storage"),
    // The password is compared at every request: at its own strength that is three quarters of all this process does.
    auth: { htpasswd: { file: join(folder, "htpasswd"), max_users: 1, rounds: 4 } },
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
