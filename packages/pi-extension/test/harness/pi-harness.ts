import { rendererFor } from "@cm/render";
import { rebuildPrompt } from "@cm/session";
import { type HarnessConversation, type HarnessFeature, type HarnessUnderTest, readStoredSession } from "@cm/testkit";
import {
  createPiHome,
  extensionPath,
  type PiCommand,
  type PiHome,
  type PiRun,
  probePath,
  type ScriptedModel,
} from "../../../../tools/real-pi/real-pi.ts";
import { inStore, links } from "../support/stored.ts";
import { modelScript } from "./scripted.ts";
import { sentRequest } from "./sent-request.ts";
import { Turns } from "./turns.ts";

export interface PiUnderTest {
  readonly pi: PiCommand;
  readonly format: PiRun["format"];
  readonly model: ScriptedModel;
  readonly features: readonly HarnessFeature[];
}

const toolPath = `${import.meta.dirname}/probe-tool-extension.ts`;
const extensions = [extensionPath(), probePath, toolPath];

/** A request that failed is sent again, at once. */
const settings = { retry: { enabled: true, maxRetries: 2, baseDelayMs: 1 } };

/** A real Pi with this extension, with a home and a database for each conversation. */
export function piHarness({ pi, format, model, features }: PiUnderTest): HarnessUnderTest {
  return {
    name: `Pi ${pi.version} over ${format}`,
    features,
    async play({ turns, elsewhere = [] }) {
      const play = model.play([]);
      const home = await createPiHome({ play, settings });
      try {
        const run = new Turns({ pi, home, format, extensions }, play);
        for (const turn of elsewhere) await run.play(turn);
        const before = play.requests.length;
        if (elsewhere.length > 0) await run.begin();
        for (const turn of turns) await run.play(turn);
        await run.end();
        const usages = usagesOf(turns);
        const requests = play.requests.slice(before).map((request, at) => {
          const usage = usages[at];
          return { ...sentRequest(request), ...(usage === undefined ? {} : { usage }) };
        });
        return { requests, stored: await storedIn(home) };
      } finally {
        await home.remove();
      }
    },
  };
}

/** What the model says of each request's tokens. */
const usagesOf = (turns: HarnessConversation["turns"]) =>
  turns.flatMap((turn) => modelScript(turn).map(({ usage }) => (usage === "none" ? undefined : usage)));

async function storedIn(home: PiHome) {
  const session = (await links(home)).at(-1)?.session;
  if (session === undefined) return undefined;
  return inStore(home, (store) => readStoredSession(store, session, (at) => rebuildPrompt(store, at, rendererFor)));
}
