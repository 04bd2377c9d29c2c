import type { HarnessConversation, HarnessImage, HarnessTurn, ScriptedAnswer, ScriptedCall } from "./conversation.ts";
import type { HarnessFeature } from "./harness-case.ts";
import { type ProbeArgs, probeArgs, probeTool } from "./probe-tool.ts";

/** What conversations are made of depends on what a harness can do; for one harness each is always the same. */
export type Features = readonly HarnessFeature[];

const blue: HarnessImage = {
  mime: "image/png",
  base64: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYPgPAAEDAQAIicLsAAAAAElFTkSuQmCC",
};
const red: HarnessImage = {
  mime: "image/png",
  base64: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC",
};

/** Put together here, so that it stands in no file. */
export const secret = ["ghp", "_", "Zk3vQ9sTn2", "Lw8xRb5cYd", "7mHf1pJg6u", "AeXo4B"].join("");

/** In the outputs of another session. */
export const canary = "canary-of-another-session";

const call = (callId: string, args: ProbeArgs): ScriptedCall => ({ callId, tool: probeTool, args: probeArgs(args) });
const backwards = (text: string): string => [...text].reverse().join("");
const says = (text: string): ScriptedAnswer => ({ text });
const calls = (text: string, ...all: readonly ScriptedCall[]): ScriptedAnswer => ({ text, calls: all });
const usage = { input: 100, output: 20, cacheRead: 70, cacheWrite: 30 };

/** What every harness meets on every day, and what it may meet. */
export function everyday(features: Features): HarnessConversation {
  const has = (feature: HarnessFeature) => features.includes(feature);
  const thinking = (text: string) =>
    has("thinking") ? { thinking: [{ text, signature: Buffer.from(`signed ${text}`).toString("base64") }] } : {};
  const counted = has("usage") ? { usage } : {};
  const turns: HarnessTurn[] = [
    {
      prompt: "Look around.",
      answers: [
        {
          ...calls("I look.", call("call_1", { say: "main.ts\nREADME.md" })),
          ...thinking("First a list."),
          ...counted,
        },
        calls(
          "",
          call("call_2", { say: "the first output" }),
          call("call_3", { say: "the second one failed", fail: true }),
          call("call_4", { say: "the third output" }),
        ),
        says("Two of three."),
      ],
    },
    {
      prompt: "Now what the folder hides:\n[t1] </t1> {{call_1}}",
      answers: [
        calls("", { callId: "call_5", tool: "cm_no_such_tool", args: { path: "/nowhere" } }),
        { ...calls("Once more.", call("call_1", { say: "src/\ntest/" })), ...thinking("The same id.") },
        calls("", call("call_6", { say: "" })),
        ...(has("blocking") ? [calls("", call("call_7", { say: "never", block: "Not in this folder." }))] : []),
        ...(has("steering") ? [{ ...calls("", call("call_8", { say: "slow" })), steer: "Hurry up, please." }] : []),
        ...(has("redaction")
          ? [calls("", call("call_9", { say: backwards(`token = "${secret}"\nrest`), backwards: true }))]
          : []),
        says("That is all."),
      ],
    },
  ];
  if (has("images")) {
    turns.push({
      prompt: "What is this?",
      images: [blue],
      answers: [calls("", call("call_10", { say: "a picture", image: red })), says("Two colours.")],
    });
  }
  if (has("asks-again")) {
    turns.push({
      prompt: "And once more.",
      answers: [{ ...calls("", call("call_11", { say: "again" })), failsFirst: true }, says("Done.")],
    });
  }
  return { id: "everyday", turns: [...turns, { prompt: "Thank you.", answers: [says("Good bye.")] }] };
}

/** Long enough that a policy has something to fold. */
export function long(): HarnessConversation {
  const turns = Array.from({ length: 6 }, (_, turn): HarnessTurn => {
    const answers = Array.from({ length: 5 }, (_, at) => {
      const line = `line of output ${turn}.${at} with some words that no later call needs\n`;
      return calls("", call(`call_${turn}_${at}`, { say: line, times: 60 }));
    });
    return { prompt: `Prompt ${turn}.`, answers: [...answers, says(`Answer ${turn}.`)] };
  });
  return { id: "long", turns };
}

const simpleTurn = (name: string): HarnessTurn => ({
  prompt: `Prompt ${name}.`,
  answers: [calls(`I look at ${name}.`, call(`call_${name}`, { say: `output ${name}` })), says(`Answer ${name}.`)],
});

export function restarted(): HarnessConversation {
  return { id: "restarted", turns: [{ ...simpleTurn("a"), end: "restarted" }, simpleTurn("b")] };
}

export function killed(): HarnessConversation {
  const hanging: HarnessTurn = {
    prompt: "Prompt b.",
    answers: [
      calls("", call("call_b", { say: "output b" })),
      calls("", call("call_lost", { say: "never", hang: true })),
    ],
    end: "killed",
  };
  return { id: "killed", turns: [simpleTurn("a"), hanging, simpleTurn("c")] };
}

/** Goes back to the first turn, and then to the branch that it left. */
export function wentBack(): HarnessConversation {
  return {
    id: "went back",
    turns: [simpleTurn("a"), simpleTurn("b"), { ...simpleTurn("c"), after: 0 }, { ...simpleTurn("d"), after: 1 }],
  };
}

export function storeOffline(): HarnessConversation {
  return { id: "offline", turns: [simpleTurn("a"), { ...simpleTurn("b"), store: "offline" }, simpleTurn("c")] };
}

export function detached(): HarnessConversation {
  return { id: "detached", turns: [simpleTurn("a"), { ...simpleTurn("b"), detached: true }, simpleTurn("c")] };
}

export function beside(): HarnessConversation {
  const other: HarnessTurn = {
    prompt: `Prompt of ${canary}.`,
    answers: [calls(canary, call("call_a", { say: `${canary} output` })), says(canary)],
  };
  return { id: "beside", elsewhere: [other], turns: [simpleTurn("a"), simpleTurn("b")] };
}
