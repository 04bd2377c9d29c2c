import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KnownState, Observation } from "@cm/object-model";
import { createContainerSource } from "../../src/index.ts";
import { openStandIn } from "./stand-in.ts";

/** A source on one container that sees a fresh folder of this machine. */
export function openContainer({ roots = [""] }: { readonly roots?: readonly string[] } = {}) {
  const engine = openStandIn();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "cm-container-")));
  const container = { id: "box", command: engine.command, roots: roots.map((root) => join(folder, root)) };
  const source = createContainerSource({ containers: [container] });
  const request = (path: string, known?: KnownState) => ({
    binding: source.bind({ container: "box", path }),
    ...(known === undefined ? {} : { known }),
  });
  return {
    engine,
    folder,
    source,
    async look(paths: readonly string[], known?: KnownState): Promise<readonly Observation[]> {
      const requests = paths.map((path) => request(path, known));
      return source.observe(requests, { contentBytesMax: 1000, deadlineMs: 300_000 });
    },
    async close() {
      await source.close();
      engine.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** One word for each answer: the text, or what is said in its place. */
export function toldOf(answer: Observation | undefined): string {
  if (answer?.kind === "unreachable") return answer.reason;
  if (answer?.kind !== "present") return `${answer?.kind}`;
  return "text" in answer.content ? `text: ${answer.content.text}` : answer.content.withheld;
}
