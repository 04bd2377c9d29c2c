#!/usr/bin/env node
import { isCmError } from "@cm/object-model";
import { CommanderError } from "commander";
import { program } from "./command-line.ts";

/** The first signal stops when all is done, the second at once. */
const stopped = new Promise((resolve) => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      resolve(signal);
      process.once(signal, () => process.exit(130));
    });
  }
});

try {
  await program({
    ...{ env: process.env, cwd: process.cwd(), stopped },
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
  }).parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else {
    process.stderr.write(`${isCmError(error) ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
