// @module-tag xtdb
// @module-tag process
// @module-tag long
// Verifies: the image of an XTDB node is started with words that it knows, and its probes are answered by a node of the
// very files that it copies.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, globSync, mkdirSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseRequest } from "../../xtdb/launch/cli-arguments.ts";
import { made } from "../../xtdb/launch/folders.ts";
import { whatIsMissing } from "../../xtdb/launch/index.ts";
import { ask } from "../../xtdb/test/support/ask.ts";
import { temporaryFolder } from "../../xtdb/test/support/folders.ts";
import { requirement } from "../requirement.ts";
import { root } from "../workspace.ts";
import { compose, Image, manifestOf } from "./deploy-files.ts";

const withXtdb = requirement("Java 17 and XTDB's jars", () => whatIsMissing() === undefined);
const image = new Image("xtdb");
const container = manifestOf("kubernetes/xtdb.yaml", "StatefulSet").spec.template.spec.containers[0];

describe("the image of a node", () => {
  it("is started with words that the launcher knows, by compose and in a cluster, too", () => {
    const [program, script = "", ...always] = image.words("ENTRYPOINT");
    const { services } = compose();

    const requests = [image.words("CMD"), services.xtdb.command, container.args].map((words) =>
      parseRequest([...always, ...words], "/"),
    );

    expect(program).toBe("node");
    expect(existsSync(join(root, relative("/opt/context-manager", script)))).toBe(true);
    const everywhere = { command: "serve", host: "0.0.0.0", allowRemote: true, port: 3_000 };
    for (const request of requests) expect(request).toMatchObject(everywhere);
    expect(requests[0]).toMatchObject({ storage: { data: "/var/lib/xtdb/data" } });
    for (const request of requests.slice(1)) {
      expect(request).toMatchObject({ heapMiB: 1_024, storage: { index: "/var/lib/xtdb/index" } });
    }
    expect(container.volumeMounts[0].mountPath).toBe("/var/lib/xtdb");
    expect(services.xtdb.volumes).toEqual(["xtdb-index:/var/lib/xtdb"]);
    expect(image.text).toMatch(/^VOLUME \/var\/lib\/xtdb$/m);
  });
});

describe("the files that the image copies", () => {
  it("are all that a node is made of and started with", () => {
    const folder = temporaryFolder();
    image.copyInto(folder);

    const help = execFileSync(process.execPath, [join(folder, "xtdb/launch/cli.ts"), "--help"], { encoding: "utf8" });

    const filesIn = (from: string) => globSync("xtdb/{config,launch,maintenance,src}/**", { cwd: from }).sort();
    expect(filesIn(folder)).toEqual(filesIn(root));
    expect(help).toContain("--data DIR");
  });
});

// In every run its files and its words, above; that the door answers such probes, in `xtdb/test/door-health`.
const inCampaign = process.env.CM_CAMPAIGN === "1" ? withXtdb : () => {};
inCampaign("a node of the files that the image copies", () => {
  it("starts with the image's command line and answers each probe", async () => {
    const folder = temporaryFolder();
    image.copyInto(folder);
    // The jars are not fetched again; all else is made of these files, as the image's own `prepare` makes it.
    mkdirSync(join(folder, "xtdb/lib"));
    for (const jar of globSync("*.jar", { cwd: made })) symlinkSync(join(made, jar), join(folder, "xtdb/lib", jar));
    const inImage = (word: string) =>
      word
        .replace("/opt/context-manager", folder)
        .replace("/var/lib/xtdb", join(folder, "volume"))
        .replace(/^3000$/, "0");
    const [program = "", ...words] = [...image.words("ENTRYPOINT"), ...image.words("CMD")].map(inImage);
    const child = spawn(program === "node" ? process.execPath : program, [...words, "--quick"], {
      env: { PATH: process.env.PATH, JAVA_HOME: process.env.JAVA_HOME, CM_XTDB_TOKEN: "secret" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const said: string[] = [];
    createInterface({ input: child.stderr }).on("line", (line) => said.push(line));
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).on("line", (line) => {
        const [, port] = /^XTDB answers at http:\/\/0\.0\.0\.0:(\d+) /.exec(line) ?? [];
        if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
      });
      child.on("close", () => reject(new Error(said.join("\n"))));
    });

    const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];
    const ofCompose = /http:\/\/127\.0\.0\.1:3000(\/[a-z]+)/.exec(compose().services.xtdb.healthcheck.test.at(-1))?.[1];
    const paths = [...probes.map(({ httpGet }) => httpGet.path), ofCompose];

    // As a kubelet asks: by the pod's address, without a token.
    for (const path of paths) {
      const { status, body } = await ask(url, { path, headers: { host: "10.0.0.7:3000" } });
      expect([path, status, body]).toEqual([path, 200, "ok\n"]);
    }
    expect((await ask(url, { path: "/_xtdb/status" })).status).toBe(401);
    expect(said.filter((line) => !line.endsWith(" ..."))).toEqual([]);
    const ended = new Promise((resolve) => child.on("close", resolve));
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  });
});
