import {
  chatId,
  type DocumentOf,
  firstChain,
  nextChain,
  type ObjectStore,
  type StepAddress,
  sealDocument,
  sessionObjectId,
  sha256,
  stepId,
  systemPromptId,
  type Write,
} from "@cm/object-model";

/** Writes a session of many steps, each with one call whose result has so many characters. */
export async function writeLargeSession(
  store: ObjectStore,
  { session, steps, chars }: { readonly session: string; readonly steps: number; readonly chars: number },
): Promise<void> {
  const prompt = { content: "You are large.", session_ref: sessionObjectId(session) };
  const first = sealDocument({ type: "system_prompt", id: systemPromptId(session) }, prompt);
  await store.commit([{ document: first, expect: "absent" }]);
  let chain = firstChain(session);
  for (let n = 0; n < steps; n += 1) {
    const [call, step] = stepOf(session, n, incompressible(chars, n));
    chain = nextChain(chain, step.content_hash);
    await store.commit([call, step].map((document): Write => ({ document, expect: "absent" })));
  }
  await store.commit(headsOf(session, steps, chain).map((document): Write => ({ document, expect: "absent" })));
}

function incompressible(chars: number, seed: number): string {
  let text = "";
  for (let block = 0; text.length < chars; block += 1) text += sha256(`${seed} ${block}`);
  return text.slice(0, chars);
}

function stepOf(session: string, n: number, text: string): readonly [DocumentOf<"toolcall">, DocumentOf<"step">] {
  const id = `large-${n}`;
  const parent: StepAddress | null = n === 0 ? null : { session, n: n - 1 };
  const call = { content: text, tool: "bash", args: {}, status: "ok" as const, chat_ref: chatId(session) };
  return [
    sealDocument({ type: "toolcall", id }, call),
    sealDocument(
      { type: "step", id: stepId({ session, n }) },
      {
        content: null,
        session_ref: sessionObjectId(session),
        n,
        parent,
        messages: [
          { role: "assistant", text: "", calls: [{ call_id: id, tool: "bash", object: id }] },
          { role: "tool", call_id: id, object: id },
        ],
        turn: 0,
        changes: { index: { added: [id] }, pool: { added: [id] } },
        layout: "plain/1",
        decision: {},
        basis: "",
        prompt_hash: sha256(""),
        prompt_chars: 0,
        kept_chars: 0,
        recorded_at: 0,
      },
    ),
  ];
}

function headsOf(session: string, steps: number, chain: string) {
  const head = { session, n: steps - 1 };
  const counts = { index_count: steps, pool_count: steps, active_count: 0, pinned_count: 0 };
  const refs = { chat_ref: chatId(session), system_prompt_ref: systemPromptId(session) };
  return [
    sealDocument(
      { type: "chat", id: chatId(session) },
      {
        content: null,
        session_ref: sessionObjectId(session),
        turn_count: 1,
        step_count: steps,
        toolcall_count: steps,
        chain,
        head,
      },
    ),
    sealDocument(
      { type: "session", id: sessionObjectId(session) },
      { content: null, ...refs, status: "paused", next_step: steps, head, chain, ...counts },
    ),
  ] as const;
}
