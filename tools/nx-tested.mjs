// A plugin of Nx: each project has a target `tested` beside its build, which is in Nx's cache when the project's tests have
// passed as all that they depend on is now, and a target `tested-fast` for its fast ones. `tools/run-tests.mjs` asks and
// tells. The tests of `tools` look at the whole repository: they are a project of their own, which any edit changes.
import { dirname } from "node:path";

const tested = (...files) => ({
  command: "node tools/tested.mjs {projectName}",
  cache: true,
  inputs: [
    ...files,
    "sharedGlobals",
    // Inputs of tests from this machine and from options.
    ...["PATH", "CM_XTDB_URL", "CM_CAMPAIGN", "CM_CORPUS", "CM_SEED", "CM_RUNS"].map((env) => ({ env })),
  ],
  outputs: [],
});

const ofPackage = tested(
  "default",
  "^production",
  // The files of other folders that tests use.
  ...["tools/**/*", "vitest.*.ts", "xtdb/**/*", "pnpm-lock.yaml", "docs/benchmarks.md"].map(
    (path) => `{workspaceRoot}/${path}`,
  ),
);
const ofTools = tested("{workspaceRoot}/**/*");

const projectAt = (folder) => {
  const [more, target] = folder === "." ? [{ name: "tools" }, ofTools] : [{}, ofPackage];
  return { ...more, targets: { tested: target, "tested-fast": target } };
};

export const createNodesV2 = [
  "{package.json,{packages/*,apps/*,xtdb}/package.json}",
  (files) => files.map((file) => [file, { projects: { [dirname(file)]: projectAt(dirname(file)) } }]),
];
