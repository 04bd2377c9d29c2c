import type { PromptMessage, RebuiltPrompt } from "@cm/context-log";
import type { ObjectStore, StepAddress } from "@cm/object-model";
import { rendererFor } from "@cm/render";
import { type PastSession, rebuildPrompt, sessionAt } from "@cm/session";
import { type PastRequest, requestsOf } from "@cm/session/past";
import { counted, visibleText } from "@cm/terminal-text";
import { Command } from "commander";
import type { CommandRun, Task } from "../command-line.ts";
import { exitCodes } from "../errors.ts";
import { findStep } from "../objects/find-session.ts";
import { withLeftOut } from "../objects/left-out.ts";
import { levelCounts, objectColumns, objectRow, objectValue } from "../objects/leveled.ts";
import { stepAddress } from "../objects/step-address.ts";
import { fieldLines } from "../output/fields.ts";
import { requestFields, requestValue } from "../requests/request-words.ts";

export function atCommand(run: CommandRun): Command {
  const command = new Command("at")
    .description("a session as it was after a step, or the prompt that the step sent")
    .argument("<step>", "SESSION@STEP, or a number with --session; steps count from 0")
    .option("--session <session>", "the session whose step is meant")
    .option("--prompt", "print the prompt as it was sent");
  return command.action((text: string, options: { session?: string; prompt?: true }) =>
    run.run(command, async (task) => {
      const asked = stepAddress(text, options.session);
      const store = await task.open();
      const address = await findStep(store, asked);
      if (options.prompt === true) return showPrompt(task, store, address);
      const request = await requestAt(store, address);
      const past = await sessionAt(store, address);
      await showPast(task, { address, request }, { ...past, objects: await withLeftOut(store, past.objects) });
      return undefined;
    }),
  );
}

async function requestAt(store: ObjectStore, address: StepAddress): Promise<PastRequest | undefined> {
  for await (const request of requestsOf(store, address, { order: "newest" })) return request;
  return undefined;
}

async function showPast(
  { output }: Task,
  { address: { session, n }, request }: { readonly address: StepAddress; readonly request: PastRequest | undefined },
  past: PastSession,
): Promise<void> {
  const { objects, chat, complete, missing, systemPrompt } = past;
  const counts = levelCounts(objects);
  if (output.json) {
    const toolcalls = chat.toolcall_refs.length;
    const value = { session, step: n, turns: chat.turn_count, toolcalls, objects: counts, complete, missing };
    const sent = request === undefined ? null : requestValue(request);
    await output.value({ kind: "session", ...value, systemPrompt: systemPrompt ?? null, request: sent });
    for (const object of objects) await output.value(objectValue(object));
    return;
  }
  const fields = fieldLines([
    ["session", session],
    ["after step", `${n}`],
    ["turns", `${chat.turn_count}`],
    ["tool calls", `${chat.toolcall_refs.length}`],
    ["objects", `${counts.index} (${counts.pool} in the pool, ${counts.active} active, ${counts.pinned} pinned)`],
    ...(request === undefined ? [] : requestFields(request)),
    ["note", noteOn(past)],
  ]);
  for (const line of fields) await output.line(line);
  if (objects.length === 0) return;
  await output.line("");
  await output.table(objectColumns, objects.map(objectRow));
}

function noteOn({ complete, missing }: PastSession): string {
  if (missing.length > 0) return "something on the way to this step was lost; run cm verify";
  return complete ? "" : "something on the way to this step was erased";
}

/** Whether it is the prompt that was sent is told on stderr, and by the exit code. */
async function showPrompt({ output }: Task, store: ObjectStore, address: StepAddress): Promise<number> {
  const rebuilt = await rebuildPrompt(store, address, rendererFor);
  const { prompt, hash, recordedHash, complete, missing } = rebuilt;
  const holds = hash === recordedHash;
  const code = holds || (!complete && missing.length === 0) ? exitCodes.ok : exitCodes.found;
  if (output.json) {
    const { session, n } = address;
    await output.value({
      session,
      step: n,
      ...prompt,
      hash,
      recordedHash: recordedHash || null,
      holds,
      complete,
      missing,
    });
    return code;
  }
  const show = (text: string) => (output.isTerminal ? visibleText(text) : text);
  if (prompt.system !== "") await output.line(`${output.paint("bold", "# system")}\n${show(prompt.system)}\n`);
  for (const message of prompt.messages) {
    await output.line(`${output.paint("bold", `# ${message.role}`)}\n${show(messageText(message))}\n`);
  }
  output.note(verdict(rebuilt, holds));
  return code;
}

/** A message for people: its reasoning, text and calls. */
function messageText({ text, calls = [], thinking = [], attachments = [], callId }: PromptMessage): string {
  const lines = [
    ...(callId === undefined ? [] : [`(answers ${callId})`]),
    ...thinking.flatMap((part) => ("text" in part && part.text !== "" ? [`(thinks) ${part.text}`] : [])),
    ...(text === "" ? [] : [text]),
    ...calls.map(({ callId: id, tool, args }) => `(calls ${tool} as ${id}) ${JSON.stringify(args)}`),
    ...attachments.map(({ mime, bytes }) => `(attached: ${mime}, ${counted(bytes, "byte")})`),
  ];
  return lines.join("\n");
}

function verdict({ recordedHash, complete, missing, prompt }: RebuiltPrompt, holds: boolean): string {
  if (holds) return `This is the prompt as it was sent (${prompt.layout}, ${prompt.chars} characters): its hash holds.`;
  if (missing.length > 0) {
    const [what, whose] = [counted(missing.length, "object"), missing.length === 1 ? "its" : "their"];
    return `The store has lost ${what}, and marks stand in ${whose} place: this is NOT the prompt as it was sent. Run cm verify.`;
  }
  if (!complete) return "Erased text is replaced by marks here, so this is not the prompt as it was sent.";
  return recordedHash === ""
    ? "No hash was recorded for this prompt."
    : "This is NOT the prompt as it was sent: its hash differs from the recorded one. Run cm verify.";
}
