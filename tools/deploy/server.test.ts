// @module-tag process
// @module-tag long
// Verifies: the server's image, installed in a clean folder by the commands of its Dockerfile, is started with the words of
// compose and of the cluster on a real Postgres, and answers each probe. A campaign builds the packages there, too.
import { spawn } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from "../../packages/private-postgres/src/index.ts";
import { ask } from "../../xtdb/test/support/ask.ts";
import { run } from "../installed-alone.ts";
import { requirement } from "../requirement.ts";
import { root } from "../workspace.ts";
import { compose, deploy, Image, manifestOf } from "./deploy-files.ts";

const withPostgres = requirement("Postgres", () => findPostgres() !== undefined);
const isCampaign = process.env.CM_CAMPAIGN === "1";
const image = new Image("server");
const container = manifestOf("kubernetes/server.yaml", "Deployment").spec.template.spec.containers[0];
const { server: service } = compose().services;
const storeOfCluster = manifestOf("kubernetes/server.yaml", "ConfigMap").data?.store ?? "";
const folder = mkdtempSync(join(tmpdir(), "cm-server-image-"));

let postgres: PrivatePostgres | undefined;

async function buildImage(): Promise<void> {
  const build = join(folder, "build");
  image.copyInto(build);
  if (!isCampaign) copyBuildsInto(build);
  // The first command installs the pnpm that is on the path here, too. What pnpm has on this machine is not fetched again.
  for (const command of image.commands.filter((text) => text.startsWith("pnpm "))) {
    if (!isCampaign && command.endsWith(" run build")) continue;
    const here = command.replace("/opt/cm-server", join(folder, "cm-server"));
    await run(build, "sh", "-c", `CI=true npm_config_prefer_offline=true ${here}`);
  }
  // The image has the result alone.
  rmSync(build, { recursive: true, force: true });
}

/** What the same packages were built to in this repository. */
function copyBuildsInto(folder: string): void {
  for (const path of globSync("{packages/*,apps/server}/dist", { cwd: root })) {
    cpSync(join(root, path), join(folder, path), { recursive: true });
  }
}

/** Paths, ports and names of the container as they are here. */
const here = (word: string): string =>
  word
    .replace(/^postgres:\/\/.*$/, postgres?.url ?? "")
    .replace("/opt/cm-server", join(folder, "cm-server"))
    .replace("/etc/cm-server", join(folder, "presets"))
    .replace("/var/lib/cm-server", join(folder, "states"))
    .replace("/workspaces", join(folder, "workspaces"))
    .replace(/^0\.0\.0\.0$/, "127.0.0.1")
    .replace(/^7420$/, "0");

/** Variables of a container in args, as Kubernetes puts them in. */
function withVariables(word: string): string {
  const values: Record<string, string> = { POD_NAME: "cm-server-0", POD_IP: "127.0.0.1" };
  return word.replaceAll(/\$\((\w+)\)/g, (_, name: string) => {
    expect(container.env.map((variable: { name: string }) => variable.name)).toContain(name);
    return values[name] ?? "";
  });
}

interface Started {
  readonly url: string;
  readonly stop: () => Promise<number | null>;
}

interface Settings {
  readonly words: readonly string[];
  /** The value of CM_STORE. */
  readonly store: string;
}

async function start({ words, store }: Settings): Promise<Started> {
  mkdirSync(join(folder, "workspaces"), { recursive: true });
  const [init, dashes, program, ...always] = image.words("ENTRYPOINT");
  expect([init, dashes, program]).toEqual(["tini", "--", "node"]);
  const child = spawn(process.execPath, [...always, ...words].map(here), {
    cwd: join(folder, "workspaces"),
    env: {
      ...{ PATH: process.env.PATH, HOME: folder, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
      ...{ CM_SERVER_TOKEN: "secret", CM_STORE: here(store) },
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  let said = "";
  child.stderr.on("data", (data) => {
    said += String(data);
  });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [, found] = /listens on (\S+)$/.exec(line) ?? [];
      if (found !== undefined) resolve(found);
    });
    void ended.then((code) => reject(new Error(`ended with ${code}: ${said}`)));
  });
  const stop = (): Promise<number | null> => {
    child.kill("SIGTERM");
    return ended;
  };
  return { url, stop };
}

withPostgres("the server of the image", () => {
  beforeAll(async () => {
    await buildImage();
    mkdirSync(join(folder, "presets"));
    cpSync(join(deploy, "server/presets.json"), join(folder, "presets/presets.json"));
    postgres = await startPrivatePostgres();
  });
  afterAll(async () => {
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  describe.each([
    ["its own settings", () => ({ words: [], store: /^ENV CM_STORE=(.+)$/m.exec(image.text)?.[1] ?? "" })],
    ["compose's settings", () => ({ words: service.command, store: service.environment.CM_STORE })],
    ["the cluster's settings", () => ({ words: container.args.map(withVariables), store: storeOfCluster })],
  ])("with %s", (_whose, settings) => {
    it("starts, answers each probe without a token and agents' requests with one alone, and ends when asked", async () => {
      const { url, stop } = await start(settings());
      const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];
      const ofCompose = /http:\/\/127\.0\.0\.1:7420(\/[a-z]+)/.exec(service.healthcheck.test.at(-1))?.[1];

      // As a kubelet asks: by the pod's address.
      for (const path of [...probes.map(({ httpGet }) => httpGet.path), ofCompose, "/metrics"]) {
        expect([path, (await ask(url, { path, headers: { host: "10.0.0.7:7420" } })).status]).toEqual([path, 200]);
      }
      const presets = (headers: Record<string, string>) => ask(url, { path: "/api/presets/list", headers });
      expect((await presets({})).status).toBe(401);
      const { status, body } = await presets({ authorization: "Bearer secret" });
      expect([status, body]).toEqual([200, expect.stringContaining('"coder"')]);
      expect(await stop()).toBe(0);
    });
  });
});
