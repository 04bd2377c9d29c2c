import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Observation } from "@cm/object-model";
import { onTestFinished } from "vitest";
import { type FilesystemOptions, openFilesystem, type SessionFilesystem } from "../../src/files/filesystem.ts";

/** A folder with files in it, gone when the test ends. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "cm-pi-files-")));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), text);
  }
  return top;
}

/** Pi's tools, those named brought by another extension. */
export const piTools = (...replaced: readonly string[]) =>
  ["read", "write", "edit", "bash"].map((name) => ({
    name,
    sourceInfo: { source: replaced.includes(name) ? "local" : "builtin" },
  }));

export const sandboxTools = () => piTools("read", "write", "edit", "bash");

type Choices = Partial<Omit<FilesystemOptions, "settings">> & {
  readonly settings?: Partial<FilesystemOptions["settings"]>;
};

/** The files of a session that works in `<top>/app`; closed when the test ends. */
export function filesOf(top: string, { settings, ...choices }: Choices = {}): SessionFilesystem {
  const filesystem = openFilesystem({
    settings: { mounts: [], ignore: [], openSecretFiles: [], agentDir: join(top, "agent"), ...settings },
    ...{ cwd: join(top, "app"), home: join(top, "home"), tools: () => piTools(), platform: "linux" },
    ...choices,
  });
  onTestFinished(() => filesystem.close());
  return filesystem;
}

/** What is at the agent's path: its text, or what the source says of it; `unbound` where it is no file to follow. */
export async function lookAt({ bindPath, source }: SessionFilesystem, path: string): Promise<string> {
  const binding = await bindPath(path);
  if (binding === undefined) return "unbound";
  const [answer] = await source.observe([{ binding }], { contentBytesMax: 1_000_000, deadlineMs: 60_000 });
  return answer === undefined ? "no answer" : said(answer);
}

function said(answer: Observation): string {
  if (answer.kind === "unreachable") return answer.reason;
  if (answer.kind !== "present") return answer.kind;
  return "text" in answer.content ? answer.content.text : answer.content.withheld;
}
