import { runCase } from "../case/run-case.ts";
import type { HarnessConversation } from "./conversation.ts";
import type { Features } from "./conversations.ts";
import { type ExpectedAnswer, expectedAnswers } from "./expected.ts";
import { admitHarness } from "./harness-calls.ts";
import type { HarnessCase, HarnessFeature } from "./harness-case.ts";
import type { HarnessRun } from "./harness-run.ts";

/** A law without the playing of its conversation. */
export interface HarnessLaw {
  readonly id: string;
  readonly clause: string;
  readonly title: string;
  /** The law says nothing to a harness without these. */
  readonly asks?: readonly HarnessFeature[];
  readonly conversation: (features: Features) => HarnessConversation;
  holds(played: Played): void;
}

export interface Played {
  readonly run: HarnessRun;
  readonly answers: readonly ExpectedAnswer[];
}

export function harnessCase({ id, clause, title, asks = [], conversation, holds }: HarnessLaw): HarnessCase {
  return {
    id,
    clause,
    title,
    run: (open, options) =>
      runCase(
        {
          id,
          open: async () => open(),
          admit: admitHarness,
          async holds(harness) {
            if (asks.some((feature) => !harness.features.includes(feature))) return;
            const script = conversation(harness.features);
            holds({ run: await harness.play(script), answers: expectedAnswers(script) });
          },
          close: async () => undefined,
        },
        options,
      ),
  };
}
