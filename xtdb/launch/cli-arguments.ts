import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { NodeError } from "./node-error.ts";
import { postgresPool } from "./postgres-pool.ts";

export type Storage = "memory" | { readonly data: string } | { readonly postgres: string; readonly index?: string };

/** The user's request. Paths are absolute. */
export type Request =
  | { readonly command: "help" }
  | { readonly command: "prepare" }
  | { readonly command: "compact"; readonly folder: string; readonly checkpoint?: string }
  | { readonly command: "scan"; readonly folder: string; readonly texts: readonly string[] }
  | { readonly command: "backup"; readonly folder: string; readonly target: string }
  | ServeRequest;

export interface ServeRequest {
  readonly command: "serve";
  readonly storage: Storage;
  readonly checkpoint?: string;
  readonly port: number;
  readonly host?: string;
  readonly allowRemote: boolean;
  readonly tokenFile?: string;
  readonly transactionFunctions: boolean;
  readonly heapMiB?: number;
  readonly quick: boolean;
  readonly verbose: boolean;
}

const options = {
  memory: { type: "boolean" },
  data: { type: "string" },
  postgres: { type: "string" },
  index: { type: "string" },
  checkpoint: { type: "string" },
  port: { type: "string" },
  host: { type: "string" },
  "allow-remote": { type: "boolean" },
  "token-file": { type: "string" },
  "transaction-functions": { type: "boolean" },
  heap: { type: "string" },
  quick: { type: "boolean" },
  verbose: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

type Values = ReturnType<typeof parse>["values"];

const parse = (args: readonly string[]) =>
  parseArgs({ args: [...args], options, allowPositionals: true, strict: true });

const invalid = (sentence: string): NodeError =>
  new NodeError("node/invalid", `${sentence} See npm run xtdb -- --help.`);

/** Reads a command line; `folder` is where the user stands. Throws a NodeError that says what to write instead. */
export function parseRequest(args: readonly string[], folder: string): Request {
  const { values, positionals } = parsed(args);
  if (values.help) return { command: "help" };
  const at = (path: string): string => resolve(folder, path);
  const [command, ...rest] = positionals;
  if (command === undefined) return serve(values, at);
  const surplus = Object.keys(values).find((name) => !(command === "compact" && name === "checkpoint"));
  if (surplus !== undefined) throw invalid(`\`${command}\` does not take --${surplus}.`);
  const [first, ...others] = rest;
  switch (command) {
    case "prepare":
      if (first !== undefined) throw invalid("`prepare` takes nothing more.");
      return { command };
    case "compact":
      if (first === undefined || others.length > 0) throw invalid("Write `compact DIR`.");
      return { command, folder: at(first), ...optional("checkpoint", values.checkpoint, at) };
    case "scan":
      if (first === undefined || others.length === 0) throw invalid("Write `scan DIR TEXT...`.");
      return { command, folder: at(first), texts: others };
    case "backup":
      if (first === undefined || others[0] === undefined || others.length > 1)
        throw invalid("Write `backup DIR TARGET`.");
      return { command, folder: at(first), target: at(others[0]) };
    default:
      throw invalid("The first word must be `prepare`, `compact`, `scan` or `backup`, or an option.");
  }
}

function parsed(args: readonly string[]) {
  try {
    return parse(args);
  } catch (error) {
    const [sentence = "The command line cannot be read"] = error instanceof Error ? error.message.split(/\.\s/) : [];
    throw invalid(`${sentence.replace(/\.$/, "")}.`);
  }
}

function serve(values: Values, at: (path: string) => string): ServeRequest {
  const storage = storageOf(values, at);
  if (storage === "memory" && values.checkpoint !== undefined)
    throw invalid("--checkpoint needs --data or --postgres.");
  return {
    command: "serve",
    storage,
    ...optional("checkpoint", values.checkpoint, at),
    port: values.port === undefined ? 0 : wholeNumber("--port", values.port, 65_535),
    ...(values.host === undefined ? {} : { host: values.host }),
    allowRemote: values["allow-remote"] ?? false,
    ...optional("tokenFile", values["token-file"], at),
    transactionFunctions: values["transaction-functions"] ?? false,
    ...(values.heap === undefined ? {} : { heapMiB: wholeNumber("--heap", values.heap) }),
    quick: values.quick ?? false,
    verbose: values.verbose ?? false,
  };
}

function storageOf({ memory, data, postgres, index }: Values, at: (path: string) => string): Storage {
  const named = [memory === true, data !== undefined, postgres !== undefined].filter(Boolean).length;
  if (named > 1) throw invalid("Give one of --memory, --data and --postgres.");
  if (index !== undefined && postgres === undefined) throw invalid("--index belongs to --postgres.");
  if (data !== undefined) return { data: at(data) };
  if (postgres === undefined) return "memory";
  // Refused here, before anything is fetched or compiled.
  postgresPool(postgres);
  return { postgres, ...optional("index", index, at) };
}

function optional<K extends string>(key: K, path: string | undefined, at: (path: string) => string) {
  if (path === undefined) return {} as { readonly [P in K]?: string };
  return { [key]: at(path) } as { readonly [P in K]: string };
}

function wholeNumber(option: string, text: string, most = 999_999_999): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) > most) throw invalid(`${option} takes a whole number up to ${most}.`);
  return Number(text);
}
