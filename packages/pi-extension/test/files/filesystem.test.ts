// @module-tag process
// Verifies: SSOT 5.3, 5.6, 5.10 (files of a Pi session)
import { execFileSync } from "node:child_process";
import { basename, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { HeardMounts, mountsChannel } from "../../src/files/mounts-message.ts";
import { eventBus } from "./event-bus.ts";
import { filesOf, folderWith, lookAt, piTools, sandboxTools } from "./session-files.ts";

const read = (path: string, text = "") => ({ tool: "read", args: { path }, text, failed: false });

describe("the files of a session on this machine", () => {
  it("are all that Pi's tools open, outside of the working folder, too", async () => {
    const top = folderWith({ "app/a.ts": "a", "elsewhere/b.ts": "b", "home/notes.md": "n" });
    const files = filesOf(top);

    const touches = ["a.ts", "../elsewhere/b.ts", "~/notes.md"].flatMap((path) => files.touched(read(path)));

    expect(await Promise.all(touches.map(({ path }) => lookAt(files, path)))).toEqual(["a", "b", "n"]);
  });

  it("are never those of secrets, of Pi's logins, of our own objects, or what the nearest work tree ignores", async () => {
    const top = folderWith({
      "home/.gitignore": "*",
      "home/.ssh/config": "x",
      "app/.git/HEAD": "ref: refs/heads/main\n",
      "app/.gitignore": "dist/\n",
      "app/dist/a.js": "x",
      "app/.env": "x",
      "app/notes.log": "x",
      "app/a.ts": "seen",
      "agent [1]/auth.json": "x",
      "agent [1]/context-manager/settings.json": "x",
      "agent [1]/models.json": "seen",
    });
    const files = filesOf(top, { settings: { agentDir: join(top, "agent [1]"), ignore: ["*.log"] } });

    const closed = ["../home/.ssh/config", "dist/a.js", ".env", "notes.log", "../agent [1]/auth.json"];
    const answers = await Promise.all(
      [...closed, "../agent [1]/context-manager/settings.json"].map((path) => lookAt(files, path)),
    );

    expect(answers).toEqual([
      "ignored: secret-file .ssh/",
      "ignored: gitignore",
      "ignored: secret-file .env*",
      "ignored: user-rule",
      "ignored: user-rule",
      "ignored: user-rule",
    ]);
    expect([await lookAt(files, "a.ts"), await lookAt(files, "../agent [1]/models.json")]).toEqual(["seen", "seen"]);
  });

  it("are those of secrets where the settings open them, but never Pi's logins, and what stays closed is named with its rule", async () => {
    const names = ["app/prod.tfvars", "app/config/auth.json", "app/.env", "agent/auth.json"];
    const top = folderWith(Object.fromEntries(names.map((name) => [name, "seen"])));
    const files = filesOf(top, { settings: { openSecretFiles: ["*.tfvars", "auth.json"] } });

    const paths = ["prod.tfvars", "config/auth.json", ".env", "../agent/auth.json"];
    const answers = await Promise.all(paths.map((path) => lookAt(files, path)));

    expect(answers).toEqual(["seen", "seen", "ignored: secret-file .env*", "ignored: user-rule"]);
    expect(files.closedSecrets).toEqual([{ path: join(top, "app/.env"), rule: ".env*" }]);
  });

  it("are those below the roots where these are configured", async () => {
    const top = folderWith({ "app/a.ts": "a", "elsewhere/b.ts": "b" });
    const files = filesOf(top, { settings: { roots: [join(top, "app")] } });

    expect([await lookAt(files, "a.ts"), await lookAt(files, "../elsewhere/b.ts")]).toEqual(["a", "outside the roots"]);
    expect(await lookAt(filesOf(top, { settings: { roots: [] } }), "a.ts")).toBe("outside the roots");
  });

  it("say which work tree the session works in", async () => {
    const top = folderWith({ "app/src/a.ts": "a" });
    execFileSync("git", ["init", "-q", "-b", "main", join(top, "app")]);
    const files = filesOf(top, { cwd: join(top, "app/src") });

    expect(await files.source.checkouts?.()).toContainEqual(expect.objectContaining({ root: join(top, "app") }));
  });

  it("start no thread before the first question, and give no answers after closing", async () => {
    let threads = 0;
    const count = () => {
      threads += 1;
    };
    process.on("worker", count);
    onTestFinished(() => void process.off("worker", count));
    const files = filesOf(folderWith({ "app/a.ts": "a" }));

    files.touched(read("a.ts"));
    const touched = threads;
    await files.bindPath("a.ts");
    const bound = threads;
    await files.close();

    expect([touched, bound, await lookAt(files, "a.ts")]).toEqual([0, 1, "unbound"]);
  });

  it("are those that they were where Pi's session is over and says nothing of its tools any more", async () => {
    let isOver = false;
    const tools = () => {
      if (isOver) throw new Error("This instance is stale.");
      return piTools();
    };
    const files = filesOf(folderWith({ "app/a.ts": "a" }), { tools });

    const before = await lookAt(files, "a.ts");
    isOver = true;

    expect([before, await lookAt(files, "a.ts")]).toEqual(["a", "a"]);
  });

  it.each([
    ["decomposed letters", "gro\u0308\u00dfe.md", "gr\u00f6\u00dfe.md"],
    ["a curly quote", "d\u2019eau.txt", "d'eau.txt"],
    ["both", "l\u2019e\u0301cran.txt", "l'\u00e9cran.txt"],
    ["a narrow space", "Shot 9.41.00\u202fAM.txt", "Shot 9.41.00 AM.txt"],
  ])("have one name, under which Pi found them: with %s", async (_, name, asked) => {
    const files = filesOf(folderWith({ [`app/${name}`]: "a" }));
    const [touch] = await files.bind(files.touched(read(asked, "a")));
    const [plain] = await files.bind(files.touched(read(name, "a")));

    expect(touch).toMatchObject({ as: "read", binding: { path: expect.stringMatching(new RegExp(`/${name}$`)) } });
    // A model cannot write the narrow space: Pi takes it for a plain one.
    expect(plain?.binding).toEqual(touch?.binding);
  });

  it("are what they were called where both spellings are there, or none", async () => {
    const files = filesOf(folderWith({ "app/d'eau.txt": "a", "app/d\u2019eau.txt": "b" }));

    const both = await files.bind(files.touched(read("d'eau.txt", "a")));
    const none = await files.bind(files.touched(read("o'neil.txt", "a")));

    expect([both, none].flat().map(({ binding }) => "path" in binding && basename(binding.path))).toEqual([
      "d'eau.txt",
      "o'neil.txt",
    ]);
  });

  it("leave out paths that cannot be bound, and keep the strongest touch of each", async () => {
    const files = filesOf(folderWith({ "app/a.ts": "a" }));

    const touches = await files.bind([
      { path: "/a\ud800", as: "read" },
      { path: "/b\0", as: "read" },
      { path: join(files.place.cwd, "a.ts"), as: "discovered" },
      { path: join(files.place.cwd, "a.ts"), as: "read", span: { startLine: 1 } },
    ]);

    expect(touches).toEqual([{ binding: await files.bindPath("a.ts"), as: "read", span: { startLine: 1 } }]);
  });
});

describe("the files of tools that another extension brought", () => {
  it("are not read where their owner is unknown, and the user is told", async () => {
    const top = folderWith({ "app/a.ts": "host" });
    const onHost = filesOf(top);
    const binding = await onHost.bindPath("a.ts");
    const files = filesOf(top, { tools: sandboxTools });

    expect(files.touched(read("a.ts", "guest"))).toEqual([]);
    expect(await lookAt(files, "a.ts")).toBe("unbound");
    const known = binding === undefined ? [] : [{ binding }];
    expect(await files.source.observe(known, { contentBytesMax: 1_000, deadlineMs: 60_000 })).toEqual([
      { kind: "unreachable", reason: "file system not known" },
    ]);
    expect(await files.source.checkouts?.()).toEqual([]);
    expect(files.notice).toContain("bash, edit, read, write");
  });

  it("are those of this machine that mounts lead to, shown by the agent's paths; others are the sandbox's own", async () => {
    const top = folderWith({ "app/src/a.ts": "mounted", "etc/b": "host" });
    const mounts = [{ agentPrefix: "/workspace", canonicalPrefix: join(top, "app") }];
    const files = filesOf(top, { tools: sandboxTools, settings: { mounts } });

    const [touch] = files.touched(read("src/a.ts"));

    expect(touch?.path).toBe("/workspace/src/a.ts");
    expect(await lookAt(files, "/workspace/src/a.ts")).toBe("mounted");
    expect(await lookAt(files, join(top, "etc/b"))).toBe("no mapping");
    const binding = await files.bindPath("/workspace/src/a.ts");
    expect(binding).toEqual(await filesOf(top).bindPath("src/a.ts"));
    expect(binding && files.source.describe(binding).display).toBe("/workspace/src/a.ts");
    expect(files.notice).toBeUndefined();
  });

  it("are known as soon as a sandbox says its mounts, and this machine's again when it says that it ended", async () => {
    const top = folderWith({ "app/a.ts": "a" });
    const bus = eventBus();
    const mounts = new HeardMounts(bus);
    let tools = sandboxTools();
    const files = filesOf(top, { tools: () => tools, mounts });

    const before = await lookAt(files, "/workspace/a.ts");
    bus.emit(mountsChannel, { v: 1, mounts: [{ agent: "/workspace", canonical: join(top, "app") }] });
    const during = await lookAt(files, "/workspace/a.ts");
    bus.emit(mountsChannel, { v: 1, mounts: [] });
    tools = piTools();

    expect([before, during, await lookAt(files, "a.ts")]).toEqual(["unbound", "a", "a"]);
  });

  it("are this machine's where the configuration says so, or where commands alone were replaced", async () => {
    const top = folderWith({ "app/a.ts": "a" });
    const mounts = [{ agentPrefix: "/", canonicalPrefix: "/" }];
    const whole = filesOf(top, { tools: sandboxTools, settings: { mounts } });
    const bash = filesOf(top, { tools: () => piTools("bash") });

    expect([await lookAt(whole, "a.ts"), await lookAt(bash, "a.ts")]).toEqual(["a", "a"]);
    expect(bash.touched({ tool: "bash", args: { command: "ls" }, text: "a.ts", failed: false })).toEqual([]);
  });
});

it("no files are followed on Windows, and the user is told", async () => {
  const files = filesOf(folderWith({ "app/a.ts": "a" }), { platform: "win32" });

  expect(files.touched(read("a.ts"))).toEqual([]);
  expect([await lookAt(files, "a.ts"), files.notice]).toEqual(["unbound", expect.stringContaining("WSL")]);
});
