import { execFile } from "node:child_process";

/** A command's text as one that runs without any network. */
export type NetworkCut = (command: string) => string;

/**
 * Programs that begin another one in a network of its own, where nothing is connected. Always with a user namespace: a
 * command of the server's root could otherwise go back into the machine's network.
 */
const starters: readonly (readonly [program: string, ...args: string[]])[] = [
  ["unshare", "--user", "--map-current-user", "--net", "--"],
  ["unshare", "--user", "--map-root-user", "--net", "--"],
  ["bwrap", "--dev-bind", "/", "/", "--unshare-user", "--unshare-net", "--"],
];

let found: Promise<NetworkCut | undefined> | undefined;

/** What this machine has, tried out once. Undefined where it has nothing: such commands are to be refused. */
export function networkCut(platform: NodeJS.Platform = process.platform): Promise<NetworkCut | undefined> {
  if (platform !== "linux") return Promise.resolve(undefined);
  found ??= firstThatCuts();
  return found;
}

async function firstThatCuts(): Promise<NetworkCut | undefined> {
  for (const starter of starters) if (await cuts(starter)) return (command) => commandIn(starter, command);
  return undefined;
}

/** Believed only when a program that was begun so sees no device but its own loopback. */
function cuts([program, ...args]: readonly [string, ...string[]]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(program, [...args, "cat", "/proc/net/dev"], { timeout: 5_000 }, (error, out) => {
      const devices = out.split("\n").flatMap((line) => /^\s*([^\s:]+):/.exec(line)?.[1] ?? []);
      resolve(error === null && devices.every((device) => device === "lo"));
    });
  });
}

const commandIn = (starter: readonly string[], command: string): string =>
  `exec ${starter.join(" ")} bash -c ${quoted(command)}`;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
