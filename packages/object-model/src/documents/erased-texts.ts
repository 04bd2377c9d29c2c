import { defined, nonEmpty } from "../defined.ts";
import type { DocumentOf } from "./document.ts";
import type { StepMessage } from "./messages.ts";
import { payloadOf, sealDocument } from "./seal.ts";
import type { ErasedText, StepPayload } from "./session-objects.ts";

type Step = DocumentOf<"step">;

/**
 * What the chain of a session is over (SSOT 3.8): a step's content hash. A step that stands in the place of one whose
 * text was erased says that one's, since no other value would fit.
 */
export function chainHashOf({ content_hash, replaces }: Pick<Step, "content_hash" | "replaces">): string {
  return replaces?.content_hash ?? content_hash;
}

export interface TextChoice {
  /** Whose texts go. */
  readonly roles: ReadonlySet<StepMessage["role"]>;
  /** Parts of the log, `{at}` and `{at}.{call}`, that were erased: what the step says others made of them goes, too. */
  readonly amended?: ReadonlySet<string>;
}

/**
 * A step without what was typed and answered in it: texts, thinking, and arguments that no tool call's object has. All
 * else stays, and it says which texts went and whose place it takes. Undefined where there is nothing to take.
 */
export function withoutTexts(step: Step, { roles, amended }: TextChoice): Step | undefined {
  const gone: ErasedText[] = [];
  const messages = step.messages.map((message, place) => {
    const parts = roles.has(message.role) ? partsOf(message) : [];
    gone.push(...parts.map((part) => ({ message: place, part })));
    return parts.length === 0 ? message : blank(message);
  });
  const kept = step.amended?.filter(({ at, call }) => !isOf(amended, at, call));
  const isAmended = kept?.length !== step.amended?.length;
  if (gone.length === 0 && !isAmended) return undefined;
  const texts = [...(step.replaces?.texts ?? []), ...gone].sort(inOrder);
  const { amended: _amended, ...payload } = payloadOf(step) as StepPayload;
  return sealDocument(
    { type: "step", id: step["xt/id"] },
    {
      ...payload,
      messages,
      ...nonEmpty({ amended: kept }),
      replaces: {
        content_hash: chainHashOf(step),
        texts,
        ...(isAmended || step.replaces?.amended === true ? { amended: true } : {}),
      },
    },
  );
}

/** The parts of a message that hold text of its own. */
function partsOf(message: StepMessage): readonly ErasedText["part"][] {
  if (message.role === "tool") return [];
  const { thinking = [], calls = [] } = message.role === "assistant" ? message : {};
  return [
    ...(message.text === "" ? [] : (["text"] as const)),
    ...(thinking.length === 0 ? [] : (["thinking"] as const)),
    ...(calls.some(hasArguments) ? (["arguments"] as const) : []),
  ];
}

function blank(message: StepMessage): StepMessage {
  if (message.role === "tool") return message;
  if (message.role === "user") return { ...message, text: "" };
  const { thinking: _thinking, calls, ...rest } = message;
  return {
    ...rest,
    text: "",
    ...defined({ calls: calls?.map((call) => (hasArguments(call) ? { ...call, args: {} } : call)) }),
  };
}

const hasArguments = ({ args }: { readonly args?: object | undefined }): boolean => Object.keys(args ?? {}).length > 0;

function isOf(amended: ReadonlySet<string> | undefined, at: number, call: number | undefined): boolean {
  return amended?.has(call === undefined ? `${at}` : `${at}.${call}`) === true;
}

function inOrder(a: ErasedText, b: ErasedText): number {
  return a.message - b.message || (a.part < b.part ? -1 : 1);
}
