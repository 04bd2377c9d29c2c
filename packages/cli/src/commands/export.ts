import { resolve } from "node:path";
import { exportBundle } from "@cm/portable";
import { bytesText, visibleLine } from "@cm/terminal-text";
import { Command } from "commander";
import type { CommandRun } from "../command-line.ts";
import { cliError } from "../errors.ts";
import { limits } from "../limits.ts";
import { findSession } from "../objects/find-session.ts";
import { writeWhole } from "../output/write-file.ts";

export function exportCommand(run: CommandRun): Command {
  const command = new Command("export")
    .description("a session with everything it refers to, as one file")
    .argument("<session>", "the session's id, or the start of it")
    .option("-o, --output <file>", "where to; default: standard output, which must not be a terminal")
    .option("--gzip", "compress it");
  return command.action((text: string, options: { output?: string; gzip?: true }) =>
    run.run(command, async ({ output, open, world }) => {
      const toStdout = options.output === undefined || options.output === "-";
      if (toStdout && output.isTerminal) {
        throw cliError("cli/usage", "A bundle is not for reading; name a file with -o, or pipe it on.");
      }
      if (toStdout && output.json)
        throw cliError("cli/usage", "The bundle itself goes to standard output; leave --json out.");
      const store = await open();
      const session = await findSession(store, text);
      const bundle = exportBundle(store, session, { gzip: options.gzip === true });
      if (options.output === undefined || options.output === "-") {
        for await (const chunk of bundle) await output.write(chunk);
        return undefined;
      }
      const file = resolve(world.cwd, options.output);
      const size = await writeWhole(
        file,
        counting(bundle, (n) => output.progress(bytesText(n))),
      );

      if (output.json) await output.value({ session, file, bytes: size });
      else await output.line(`Exported ${session} to ${visibleLine(file, limits.fieldCharsMax)} (${bytesText(size)}).`);
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
