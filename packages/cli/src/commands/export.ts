import { resolve } from "node:path";
import { exportBundle } from "@cm/portable";
import { bytesText, visibleLine } from "@cm/terminal-text";
import { Command, Option } from "commander";
import type { CommandRun } from "../command-line.ts";
import { cliError } from "../errors.ts";
import { sessionFile } from "../exchange/session-file.ts";
import { limits } from "../limits.ts";
import { findSession } from "../objects/find-session.ts";
import { writeWhole } from "../output/write-file.ts";

interface ExportOptions {
  readonly output?: string;
  readonly out?: string;
  readonly gzip?: true;
  readonly as?: "pi" | "omp";
}

export function exportCommand(run: CommandRun): Command {
  const command = new Command("export")
    .description("a session with everything it refers to, as one file")
    .argument("<session>", "the session's id, or the start of it")
    .option("-o, --output <file>", "where to; default: standard output, which must not be a terminal")
    .option("--out <file>", "the same as --output")
    .option("--gzip", "compress it")
    .addOption(new Option("--as <agent>", "a session file to go on with, of Pi or oh-my-pi").choices(["pi", "omp"]));
  return command.action((text: string, { out, ...given }: ExportOptions) =>
    run.run(command, async ({ output, open, world }) => {
      const options = { ...given, ...(out === undefined ? {} : { output: out }) };
      const toStdout = options.output === undefined || options.output === "-";
      if (toStdout && output.isTerminal) {
        throw cliError(
          "cli/usage",
          `${options.as === undefined ? "A bundle" : "A session file"} is not for reading; name a file with -o, or pipe it on.`,
        );
      }
      if (toStdout && output.json)
        throw cliError("cli/usage", "The bundle itself goes to standard output; leave --json out.");
      const store = await open();
      const session = await findSession(store, text);
      if (options.as !== undefined && options.gzip === true)
        throw cliError("cli/usage", "Agents read no compressed files; leave --gzip out.");
      const { bytes: bundle, tell } =
        options.as === undefined
          ? { bytes: exportBundle(store, session, { gzip: options.gzip === true }), tell: () => {} }
          : await sessionFile(store, session, { as: options.as, cwd: world.cwd, output });
      if (options.output === undefined || options.output === "-") {
        for await (const chunk of bundle) await output.write(chunk);
        tell();
        return undefined;
      }
      const file = resolve(world.cwd, options.output);
      const size = await writeWhole(
        file,
        counting(bundle, (n) => output.progress(bytesText(n))),
      );

      if (output.json) await output.value({ session, file, bytes: size });
      else await output.line(`Exported ${session} to ${visibleLine(file, limits.fieldCharsMax)} (${bytesText(size)}).`);
      tell();
      return undefined;
    }),
  );
}

async function* counting(chunks: AsyncIterable<Uint8Array>, tell: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    yield chunk;
    bytes += chunk.byteLength;
    tell(bytes);
  }
}
