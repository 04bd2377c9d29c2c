import { execFile } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  type CapturedRequest,
  createPiHome,
  type PiEnd,
  type PiHome,
  type PiVersion,
  preparePi,
  runPrint,
  startScriptedModel,
} from "../packages/scripted-models/src/real-pi.ts";

const source = "npm:@cm/pi-extension";

/** Pi's answer to a command such as `pi list`. */
interface Said {
  readonly code: number;
  readonly output: string;
}

/** The view of a user who installs the extension, asks two prompts, leaves, and continues the same session. */
export interface Stay {
  readonly installed: Said;
  readonly listed: Said;
  readonly withUs: PiEnd;
  /** The file of the objects while it is installed. */
  readonly kept: boolean;
  readonly removed: Said;
  readonly listedAfter: Said;
  /** The same session, gone on with after the folder of ours was deleted. */
  readonly without: PiEnd;
  readonly requests: readonly CapturedRequest[];
  /** Types of the entries that extensions wrote into the session's file. */
  readonly entryTypes: readonly unknown[];
  /** Whether anything of ours is in Pi's folder at the end. */
  readonly left: boolean;
}

/**
 * Lives through a whole stay in an empty home. npm asks `registry`, and nothing of this machine's is known to it.
 * @param node the Node that runs Pi
 */
export async function stayIn(version: PiVersion, registry: string, node = process.execPath): Promise<Stay> {
  const pi = await preparePi(version);
  const model = await startScriptedModel();
  const play = model.play([
    { text: "I look.", calls: [{ name: "read", args: { path: "a.txt" } }] },
    { text: "It says alpha." },
    { text: "Still alpha." },
  ]);
  const home = await createPiHome({ play, files: { "a.txt": "alpha\n" } });
  const command = (...args: string[]): Promise<Said> => run(home, { registry, node, args: [pi.cli, ...args] });
  const asked = { pi, home, node, format: "anthropic-messages", installed: true } as const;
  const own = join(home.agentDir, "context-manager");
  try {
    const installed = await command("install", source);
    const listed = await command("list");
    const withUs = await runPrint(asked, "What does a.txt say?");
    const kept = existsSync(join(own, "objects.sqlite"));
    const removed = await command("remove", source);
    rmSync(own, { recursive: true, force: true });
    const listedAfter = await command("list");
    const without = await runPrint({ ...asked, args: ["--continue"] }, "And now?");
    const entries = await home.sessionEntries();
    const entryTypes = entries.filter(({ type }) => type === "custom").map(({ customType }) => customType);
    const left = [own, join(home.agentDir, "npm/node_modules/@cm/pi-extension")].some((path) => existsSync(path));
    return {
      ...{ installed, listed, withUs, kept, removed, listedAfter, without, entryTypes, left },
      requests: play.requests,
    };
  } finally {
    await home.remove();
    await model.close();
  }
}

/** Without `PI_OFFLINE`, since it is to fetch something. */
function run(
  home: PiHome,
  { registry, node, args }: { registry: string; node: string; args: readonly string[] },
): Promise<Said> {
  const npm = {
    npm_config_registry: registry,
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false",
  };
  const env = home.environment({ ...npm, PI_OFFLINE: "" });
  return new Promise((resolve) => {
    execFile(node, args, { cwd: home.workDir, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` });
    });
  });
}
