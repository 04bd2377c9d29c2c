// Verifies: our tool is registered when a session begins, never over another's, and comes and goes with management.
import { describe, expect, it } from "vitest";
import { OwnTool } from "../../src/tools/own-tool.ts";

/** Pi's tools as far as `OwnTool` sees them. `allowed`: what --tools leaves. */
function fakePi(names: readonly string[], allowed: (name: string) => boolean = () => true) {
  const all = names.map((name) => ({ name }));
  let active = names.filter(allowed);
  const registered: string[] = [];
  return {
    registered,
    active: () => active,
    pi: {
      registerTool: ({ name }: { readonly name: string }) => {
        registered.push(name);
        if (!allowed(name)) return;
        all.push({ name });
        active = [...active, name];
      },
      getAllTools: () => all as never,
      getActiveTools: () => active,
      setActiveTools: (wanted: string[]) => {
        active = wanted.filter((name) => all.some((one) => one.name === name));
      },
    },
  };
}

describe("our tool", () => {
  it("comes with management, goes with it, and is registered once", () => {
    const { pi, registered, active } = fakePi(["read", "write"]);
    const tool = new OwnTool(pi, { managed: () => undefined });

    expect(tool.offer()).toBeUndefined();
    expect(active()).toEqual(["read", "write", "cm_context"]);
    tool.withdraw();
    expect(active()).toEqual(["read", "write"]);
    expect(tool.offer()).toBeUndefined();
    expect(tool.offer()).toBeUndefined();
    expect(active()).toEqual(["read", "write", "cm_context"]);
    expect(registered).toEqual(["cm_context"]);
  });

  it("leaves a tool of that name to whom it belongs", () => {
    const { pi, registered, active } = fakePi(["read", "cm_context"]);
    const tool = new OwnTool(pi, { managed: () => undefined });

    expect(tool.offer()).toMatch(/^Another extension has a tool named cm_context/);
    tool.withdraw();
    expect(registered).toEqual([]);
    expect(active()).toEqual(["read", "cm_context"]);
  });

  it("says so where Pi may not use it", () => {
    const { pi } = fakePi(["read"], (name) => name === "read");

    expect(new OwnTool(pi, { managed: () => undefined }).offer()).toContain("not among the tools that this Pi may use");
  });
});
