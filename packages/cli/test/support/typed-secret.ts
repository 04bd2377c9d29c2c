import type { ObjectStore } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { forkSession, openSession, type Session } from "@cm/session";

/** Of random letters, so that nothing else looks like it. */
export const canary = "qzXkWvJ0pLm3RtY7bNc5";

export const steps = 4;

/**
 * Session `typed` of four steps with a fork of each, `fork-0` to `fork-3`, that goes on for one step. In one step the
 * secret is in the prompt, which lay in the head of the paused session before, in the answer and in its thinking, and
 * where others changed the prompt, in what they made of it.
 */
export async function typeSecret(store: ObjectStore, secretAt: number): Promise<void> {
  await typeSecrets(store, (n) => (n === secretAt ? canary : ""));
  for (let n = 0; n < steps; n += 1) {
    await forkSession(store, { session: "typed", n }, { session: `fork-${n}` });
    await takeStep(await open(store, `fork-${n}`), "And another thing.");
  }
}

/** The session alone, with the secret of each step. */
export async function typeSecrets(store: ObjectStore, secretOf: (n: number) => string): Promise<void> {
  for (let n = 0; n < steps; n += 1) {
    const secret = secretOf(n) === "" ? "" : ` ${secretOf(n)} `;
    const paused = await open(store, "typed");
    await paused.receive([{ role: "user", text: `Please do thing ${n}${secret}now.` }]);
    await paused.close();
    const session = await open(store, "typed");
    if (secret !== "") await amendPrompt(session, `Others say: thing ${n}${secret}now.`);
    await session.assemble();
    const callId = `call-${n}`;
    await session.record({
      answer: {
        role: "assistant",
        text: `I do thing ${n}${secret}.`,
        thinking: [{ text: `He wants ${n}${secret}.`, signature: "c2ln" }],
        calls: [{ callId, tool: "bash", args: { command: `do ${n}` } }],
      },
      results: [{ role: "tool", callId, text: `output ${n}\n`.repeat(40), failed: false, files: [] }],
    });
    const before = n === 0 ? "" : secretOf(n - 1);
    if (before !== "") await amendPrompt(session, `Once more: thing ${before} now.`, n - 1);
    await session.close();
  }
}

export const open = (store: ObjectStore, session: string): Promise<Session> =>
  openSession({
    store,
    session,
    systemPrompt: "You are a test.",
    layout: layouts.log,
    rendererFor,
    leaseMs: 0,
  });

export async function takeStep(session: Session, prompt: string): Promise<void> {
  await session.receive([{ role: "user", text: prompt }]);
  await session.assemble();
  await session.record({ answer: { role: "assistant", text: "Done." } });
  await session.close();
}

/** Changes what is sent of the prompt of a turn from the next request on. */
async function amendPrompt(session: Session, text: string, turn?: number): Promise<void> {
  const prompts = session.view().log.filter(({ kind }) => kind === "user");
  const at = (turn === undefined ? prompts.at(-1) : prompts[turn])?.at;
  if (at === undefined) throw new Error("No prompt to be amended");
  await session.amend([{ at, text }]);
}
