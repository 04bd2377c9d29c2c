import { createHash, randomBytes } from "node:crypto";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { shownStore } from "@cm/store-place";
import { Command, InvalidArgumentError } from "commander";
import type { GovernanceOptions } from "./governance/governance-options.ts";
import { readPolicy } from "./governance/read-policy.ts";
import { readAccess } from "./http/access.ts";
import { readPresets } from "./presets/read-presets.ts";
import { type RunningServer, startServer } from "./server.ts";
import { openStates } from "./store/open-states.ts";
import { openStore, storeAddress } from "./store/open-store.ts";
import { version } from "./version.ts";

/** What the program is surrounded by. */
export interface World {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  /** Resolves when the program is to end. */
  readonly stopped: Promise<unknown>;
}

interface ServeOptions {
  readonly presets: string;
  readonly root: readonly string[];
  readonly store?: string;
  readonly namespace?: string;
  readonly states?: string;
  readonly forks?: string;
  readonly policy?: string;
  readonly auditDays: number;
  readonly purgeDays?: number;
  readonly host: string;
  readonly port: number;
  readonly address?: string;
  readonly tokens?: string;
  readonly name?: string;
  readonly lease?: number;
  readonly drain: number;
}

export function program(world: World): Command {
  const command = new Command("cm-server")
    .description("Runs agents over HTTP, and keeps every run as it was.")
    .version(version)
    .configureOutput({ writeOut: (text) => world.out(text.trimEnd()), writeErr: (text) => world.err(text.trimEnd()) })
    .exitOverride();
  command
    .command("serve", { isDefault: true })
    .description("Takes requests until it is told to stop")
    .option("--presets <file>", "the agents that it runs", "presets.json")
    .option("--root <folder...>", "folders below which agents work", ["."])
    .option(
      "--store <address>",
      "a SQLite file, or the URL of a Postgres or of an XTDB node (default: CM_XTDB_URL, CM_STORE, the file of the Pi extension)",
    )
    .option("--namespace <name>", "the part of a Postgres (a schema) or of an XTDB node")
    .option(
      "--states <place>",
      "where display messages are kept: a folder, or s3://bucket/prefix (default: CM_SERVER_STATES, ~/.local/share/cm-server)",
    )
    .option("--forks <folder>", "where forks get folders of their own, with the files as they were")
    .option("--policy <file>", "what sessions may; every run then has approvals and an audit")
    .option("--audit-days <number>", "for how long events and approvals are kept; 0: for ever", wholeNumber, 365)
    .option(
      "--purge-days <number>",
      "delete workspaces for good after so long without activity (default: never)",
      wholeDays,
    )
    .option("--host <host>", "the address to listen on", "127.0.0.1")
    .option("--port <number>", "the port to listen on", wholeNumber, 7420)
    .option("--address <url>", "where the other servers of its store reach it (default: where it listens)")
    .option("--tokens <file>", "lines with a name and the hash of a token")
    .option("--name <name>", "its name in the records: no other server's, and the same when it is started again")
    .option("--lease <seconds>", "for how long its runs count as running when it is silent", wholeNumber)
    .option("--drain <seconds>", "for how long a stop waits for runs", wholeNumber, 30)
    .action((options: ServeOptions) => serve(options, world));
  command
    .command("token")
    .description("Makes a token, and the line for the file of tokens")
    .argument("<name>", "whose it is")
    .action((name: string) => token(name, world));
  return command;
}

async function serve(options: ServeOptions, world: World): Promise<void> {
  const { env, cwd } = world;
  const presets = readPresets(resolve(cwd, options.presets));
  const access = readAccess(options.tokens === undefined ? undefined : resolve(cwd, options.tokens), env);
  const place = placeOf(options, world);
  const store = await openStore(options, world);
  try {
    const server: RunningServer = await startServer({
      ...{ store, presets, access, env, host: options.host, port: options.port, name: options.name },
      address: options.address,
      governance: options.policy === undefined ? undefined : governedBy(options.policy, options, world),
      states: openStates(place.startsWith("s3://") ? place : resolve(cwd, place), env),
      roots: options.root.map((root) => resolve(cwd, root)),
      forks: options.forks === undefined ? undefined : resolve(cwd, options.forks),
      leaseMs: options.lease === undefined ? undefined : options.lease * 1_000,
      log: (fields) => world.err(JSON.stringify({ time: new Date().toISOString(), ...fields })),
    });
    world.out(`cm-server ${version} listens on ${server.url}`);
    await world.stopped;
    await server.stop(options.drain * 1_000);
  } finally {
    await store.close();
  }
}

const ownFolder = () => join(homedir(), ".local", "share", "cm-server");

const placeOf = ({ states }: ServeOptions, { env }: World): string => states ?? env.CM_SERVER_STATES ?? ownFolder();

function governedBy(path: string, options: ServeOptions, world: World): GovernanceOptions {
  const { auditDays, purgeDays } = options;
  const policy = readPolicy(resolve(world.cwd, path));
  const place = placeOf(options, world);
  const folder = place.startsWith("s3://") ? ownFolder() : resolve(world.cwd, place);
  // Servers of another store may have the same folder.
  const store = createHash("sha256")
    .update(shownStore(storeAddress(options, world)))
    .digest("hex");
  return {
    ...{ policy, taskDefaults: policy.taskDefaults, spool: join(folder, "audit", store.slice(0, 16)) },
    retention: { auditDays: auditDays === 0 ? null : auditDays, inactiveDays: purgeDays },
  };
}

function token(name: string, { out }: World): void {
  const made = randomBytes(32).toString("base64url");
  out(`${name} sha256:${createHash("sha256").update(made).digest("hex")}`);
  out(`Add the line above to the file that --tokens names. The token, shown only now: ${made}`);
}

function wholeDays(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give a whole number of days, 1 or more.");
}

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give a whole number.");
}
