import { describe, expect, it } from "vitest";
import { arrows, violations } from "./boundaries.ts";
import { members, sourcesBelow } from "./workspace.ts";

describe("boundaries between the packages", () => {
  it.each(members)("$name keeps to its arrows", (member) => {
    const sources = sourcesBelow(member.folder, "{src,launch,test}/**/*.{ts,mts,js,mjs}");

    expect(violations(member, sources)).toEqual([]);
  });

  it("points no arrow at programs but that of the benches, which measure them, and none at the benches", () => {
    const programs = ["@cm/experiments", "@cm/pi-extension", "@cm/cli", "@cm/server", "@cm/bench"];
    const pointing = Object.entries(arrows).filter(([, targets]) => targets.some((name) => programs.includes(name)));

    expect(pointing.map(([name]) => name)).toEqual(["@cm/bench"]);
    expect(arrows["@cm/bench"]).not.toContain("@cm/bench");
  });

  it("points every arrow at a package that is in the table", () => {
    expect(Object.values(arrows).flat()).toSatisfy((names: string[]) => names.every((name) => name in arrows));
  });
});

describe("the state of a log", () => {
  it("is changed by its reducer alone; a keyframe's is put together before a log has it", () => {
    const changing = sourcesBelow("packages", "{context-log,step-log,session}/src/**/*.ts").flatMap(({ path, text }) =>
      /\b(?:MutableState|emptyState)\b/.test(text) ? [path.replace(/^.*packages\//, "")] : [],
    );
    const places = changing.filter((path) => !path.includes("context-log/src/reducer/"));

    expect(places.map((path) => path.split("/").slice(-2).join("/")).sort()).toEqual([
      "src/state.ts",
      "state/log-state.ts",
      "state/placed-messages.ts",
      "state/restore-state.ts",
    ]);
  });
});

/** Used by few, so other users must not load them. */
const named = /^import (?!type )[^;]*from "(@cm\/sources-(?:git|s3|container))";/gm;

describe("sources that settings must name", () => {
  it.each(["pi-extension", "cli"])("are loaded by %s when they are named, and not before", (name) => {
    const sources = sourcesBelow(`packages/${name}`, "src/**/*.ts");
    const loaded = sources.flatMap(({ text }) => text.match(/(?<= import\(")@cm\/sources-(?:git|s3|container)/g) ?? []);

    expect(sources.flatMap(({ path, text }) => [...text.matchAll(named)].map(([line]) => `${path}: ${line}`))).toEqual(
      [],
    );
    expect(new Set(loaded).size).toBe(3);
  });
});

describe("the checker", () => {
  const render = { name: "@cm/render", dependencies: { "@cm/object-model": "workspace:^", diff: "9.0.0" } };
  const source = (text: string, path = "src/layouts/log.ts") => [{ path, text }];

  it("accepts what the design allows", () => {
    const text = [
      'import { readFile } from "node:fs/promises";',
      'import { diffLines } from "diff";',
      "import {\n  identityHash,\n  type StoredVersion,\n} from '@cm/object-model';",
      'export * from "../limits.ts";',
      "// The words of a comment, such as import from @cm/session, are no import.",
    ].join("\n");

    expect(violations(render, source(text))).toEqual([]);
  });

  it("accepts testkit and siblings in tests when they are declared for development", () => {
    const manifest = { ...render, devDependencies: { "@cm/testkit": "workspace:^", "@cm/session": "workspace:^" } };
    const text = 'import { suite } from "@cm/testkit";\nimport { requirement } from "../../../tools/requirement.ts";\n';

    expect(violations(manifest, source(text, "test/log.test.ts"))).toEqual([]);
  });

  it.each([
    ["a package that is not in the table", { name: "@cm/unheard-of" }, "", "@cm/unheard-of has no row"],
    [
      "a dependency on a sibling",
      { ...render, dependencies: { "@cm/session": "workspace:^" } },
      "",
      "@cm/render may not depend on @cm/session",
    ],
    [
      "a peer dependency on a sibling",
      { ...render, peerDependencies: { "@cm/session": "^1.0.0" } },
      "",
      "@cm/render may not depend on @cm/session",
    ],
    [
      "a package of level 2, even in tests",
      { ...render, devDependencies: { "@cm/cli": "workspace:^" } },
      "",
      "@cm/render may not use @cm/cli",
    ],
    ["an undeclared import", render, 'import { z } from "zod";', "src/layouts/log.ts imports zod"],
    ["an undeclared import of types only", render, 'import type { Z } from "zod/v4";', "imports zod"],
    ["an undeclared dynamic import", render, 'const { z } = await import("zod");', "imports zod"],
    ["an undeclared side effect", render, 'import "@cm/session";', "imports @cm/session"],
    ["an undeclared re-export", render, 'export { open } from "@cm/session";', "imports @cm/session"],
    [
      "a development dependency in src",
      { ...render, devDependencies: { "@cm/testkit": "workspace:^" } },
      'import { suite } from "@cm/testkit";',
      "imports @cm/testkit",
    ],
    ["another package's sources", render, 'import { x } from "@cm/object-model/src/ids.ts";', "reaches into a package"],
    ["a path into another package", render, 'import { x } from "../../../session/src/sets.ts";', "leaves the package"],
    ["a path to the tools from src", render, 'import { x } from "../../../../tools/x.ts";', "leaves the package"],
  ])("reports %s", (_case, manifest, text, sentence) => {
    const found = violations(manifest, source(text));

    expect(found).toHaveLength(1);
    expect(found[0]).toContain(sentence);
  });

  it("reports a path into another package from a test", () => {
    const text = 'import { x } from "../../session/src/sets.ts";';

    expect(violations(render, source(text, "test/log.test.ts"))).toHaveLength(1);
  });
});
