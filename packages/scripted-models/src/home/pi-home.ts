import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Play } from "../play/play.ts";
import { type JsonObject, parseObject } from "../wire/json.ts";
import type { PiHome } from "./environment.ts";
import { isolatedEnvironment } from "./environment.ts";
import { type ModelOptions, modelsJson } from "./models-json.ts";
import { settingsJson } from "./settings-json.ts";
import { endStrays } from "./strays.ts";

export interface PiHomeOptions extends ModelOptions {
  /** The scripted model that this home's settings name. */
  readonly play: Pick<Play, "url">;
  /** Over the settings of the kit; objects within are replaced whole. */
  readonly settings?: JsonObject;
  /** Files of the work folder: content by path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

export async function createPiHome({ play, settings = {}, files = {}, ...model }: PiHomeOptions): Promise<PiHome> {
  const folder = await mkdtemp(join(tmpdir(), "cm-real-pi-"));
  const at = (name: string): string => join(folder, name);
  const [home, agentDir, sessionDir, workDir] = [at("home"), at("agent"), at("sessions"), at("work")] as const;
  for (const each of [home, agentDir, sessionDir, workDir, at("tmp")]) await mkdir(each);
  await writeFile(join(agentDir, "models.json"), JSON.stringify(modelsJson(play.url, model)));
  await writeFile(join(agentDir, "settings.json"), JSON.stringify({ ...settingsJson, ...settings }));
  const ends: (() => Promise<unknown>)[] = [];
  const made: PiHome = {
    ...{ folder, home, agentDir, sessionDir, workDir },
    environment: (extra = {}) => ({ ...isolatedEnvironment(made), ...extra }),
    sessionFiles: () => sessionFiles(sessionDir),
    async sessionEntries(file) {
      const newest = file ?? (await sessionFiles(sessionDir)).at(-1);
      return newest === undefined ? [] : linesOf(await readFile(newest, "utf8"));
    },
    write: (more) => writeFiles(workDir, more),
    onRemove: (end) => ends.push(end),
    async remove() {
      await Promise.all(ends.map((end) => end()));
      endStrays(folder);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  await made.write(files);
  return made;
}

/** Their names begin with the time. */
async function sessionFiles(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".jsonl"));
  return names.sort().map((name) => join(folder, name));
}

/** A last line that was cut off by a crash is left out. */
function linesOf(text: string): readonly JsonObject[] {
  const lines = text.split("\n");
  return lines
    .slice(0, -1)
    .filter((line) => line !== "")
    .map(parseObject);
}

async function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}
