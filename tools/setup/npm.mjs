// npm, as the caller runs it.
import { spawnSync } from "node:child_process";
import { root, windows } from "./pinned.mjs";

/**
 * A missing network has to show within seconds: npm's own patience is minutes. The log level is named because
 * `npm start --silent` hands its silence down to every npm below it, and a failure would then say nothing.
 */
const impatient = [
  "--loglevel=error",
  "--no-update-notifier",
  "--fetch-retries=1",
  "--fetch-retry-mintimeout=1000",
  "--fetch-retry-maxtimeout=2000",
  "--fetch-timeout=60000",
];

/** Runs npm and returns `{ status, output }`. */
export function npm(args) {
  const options = { cwd: root, stdio: ["ignore", "pipe", "pipe"], encoding: "utf8", maxBuffer: 2 ** 26 };
  // `npm start` says where its npm is. Another package manager may have set the variable to itself.
  const cli = process.env.npm_execpath;
  const result = cli?.endsWith("npm-cli.js")
    ? spawnSync(process.execPath, [cli, ...args, ...impatient], options)
    : spawnSync(windows ? "npm.cmd" : "npm", [...args, ...impatient], { ...options, shell: windows });
  return {
    status: result.status,
    output: `${result.stdout ?? ""}${result.stderr ?? ""}${result.error?.message ?? ""}`,
  };
}
