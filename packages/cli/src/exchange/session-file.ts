import type { ObjectStore } from "@cm/object-model";
import { counted } from "@cm/terminal-text";
import type { Output } from "../output/output.ts";

interface FileOptions {
  readonly as: "pi" | "omp";
  readonly cwd: string;
  readonly output: Output;
}

/** A session as a file that Pi or oh-my-pi goes on with. `tell` says what is missing in it, once it was read. */
export async function sessionFile(
  store: ObjectStore,
  session: string,
  { as, cwd, output }: FileOptions,
): Promise<{ readonly bytes: AsyncIterable<Uint8Array>; readonly tell: () => void }> {
  const { exportSession } = await import("@cm/exchange");
  const { lines, facts } = await exportSession(store, session, { as, cwd });
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for await (const line of lines) yield Buffer.from(line);
  }
  const tell = (): void => {
    if (facts.forks > 0)
      output.note(
        `${counted(facts.forks, "fork")} of it ${facts.forks === 1 ? "is a branch" : "are branches"} of the file, with a label at the end.`,
      );
    if (facts.erased > 0)
      output.note(`[erased] stands in it for ${counted(facts.erased, "text")} erased from the store.`);
    if (facts.missing > 0)
      output.note(
        `[missing] stands in it for ${counted(facts.missing, "text")} that the store has lost; run cm verify.`,
      );
    if (facts.redacted > 0)
      output.note(
        `${counted(facts.redacted, "secret")} of it ${facts.redacted === 1 ? "was" : "were"} left out when it was stored.`,
      );
  };
  return { bytes: bytes(), tell };
}
