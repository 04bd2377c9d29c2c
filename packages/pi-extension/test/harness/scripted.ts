import type { ScriptedAnswer as ModelAnswer } from "@cm/scripted-models/real-pi";
import type { HarnessTurn, ScriptedAnswer } from "@cm/testkit";

/** What a provider says when it cannot answer now, and Pi asks again. */
const overloaded: ModelAnswer = {
  error: { status: 529, body: { error: { type: "overloaded_error", message: "Overloaded" } } },
};

/** A turn's answers as the scripted model takes them: one for each request. */
export function modelScript({ answers }: HarnessTurn): readonly ModelAnswer[] {
  return answers.flatMap((answer) =>
    answer.failsFirst === true ? [overloaded, modelAnswer(answer)] : [modelAnswer(answer)],
  );
}

function modelAnswer({ text, thinking: [thought] = [], calls = [], usage }: ScriptedAnswer): ModelAnswer {
  const { signature } = thought ?? {};
  return {
    ...(text === "" ? {} : { text }),
    ...(thought === undefined ? {} : { thinking: thought.text }),
    ...(signature === undefined ? {} : { signature }),
    calls: calls.map(({ callId: id, tool: name, args }) => ({ id, name, args: JSON.parse(JSON.stringify(args)) })),
    ...(usage === undefined ? {} : { usage }),
  };
}
