import { type AnyLine, counted, resealed, summed } from "../support/lines.ts";
import { type Attack, documentAt, first, type Material } from "./attack.ts";

/** Lines that are missing, repeated or elsewhere, and counts that are wrong; every sum is right. */
export function structureAttacks({ lines }: Material): readonly Attack[] {
  const places = lines().map((_, place) => place);
  const without = (place: number) => lines().filter((_, at) => at !== place);
  const counts = Object.keys(lines().at(-1)?.counts as object);
  const trailerWith = (change: AnyLine) => summed([...lines().slice(0, -1), { ...lines().at(-1), ...change }]);
  return [
    ...places
      .filter(
        (place) => place < places.length - 1 && !(isPrompt(lines(), place) && place > first(lines(), "system_prompt")),
      )
      .map((place): Attack => ({ title: `no line ${place + 1}`, bytes: () => counted(without(place)) })),
    ...places.map(
      (place): Attack => ({
        title: `line ${place + 1} twice`,
        // A system prompt may stand again, and stands once more then.
        bytes: () => summed([...lines().slice(0, place), { ...lines()[place] }, ...lines().slice(place)]),
      }),
    ),
    ...places
      .filter((place) => lines()[place]?.kind === "version" && !isPrompt(lines(), place))
      .map(
        (place): Attack => ({
          title: `line ${place + 1} twice, and counted`,
          code: "bundle/duplicate",
          bytes: () => counted([...lines().slice(0, place), { ...lines()[place] }, ...lines().slice(place)]),
        }),
      ),
    {
      title: "a mark behind the trailer",
      code: "bundle/misplaced",
      bytes: () => summed([...lines(), { id: "x", kind: "erased", of: "step" }]),
    },
    {
      title: "a tool call behind a file",
      code: "bundle/misplaced",
      bytes: () => {
        const all = lines();
        const place = first(all, "toolcall");
        all.splice(first(all, "step"), 0, { ...all[place] });
        all.splice(place, 1);
        return counted(all);
      },
    },
    ...places.slice(1, -1).map(
      (place): Attack => ({
        title: `line ${place + 1} first`,
        bytes: () => counted([lines()[place] ?? {}, ...without(place)]),
      }),
    ),
    ...places.slice(0, -1).map(
      (place): Attack => ({
        title: `line ${place + 1} last`,
        bytes: () => summed([...without(place), lines()[place] ?? {}]),
      }),
    ),
    ...counts.flatMap((name) =>
      [1, -1].map(
        (by): Attack => ({
          title: `${by} ${name} in the trailer`,
          bytes: () => {
            const own = lines().at(-1)?.counts as Record<string, number>;
            return trailerWith({ counts: { ...own, [name]: (own[name] ?? 0) + by } });
          },
        }),
      ),
    ),
    { title: "another length in the trailer", code: "bundle/wrong-count", bytes: () => trailerWith({ bytes: 1 }) },
    { title: "an endless length", code: "bundle/invalid-line", bytes: () => trailerWith({ bytes: 1e300 }) },
    {
      title: "another number of steps in the header",
      code: "bundle/wrong-count",
      bytes: () => summed([{ ...lines()[0], steps: 99 }, ...lines().slice(1)]),
    },
    ...["cm-bundle/2", "cm-bundle/0", "cm-bundle/1.1", "CM-BUNDLE/1", "", "constructor"].map(
      (format): Attack => ({
        title: `the format ${format}`,
        code: "bundle/unknown-format",
        bytes: () => summed([{ ...lines()[0], format }, ...lines().slice(1)]),
      }),
    ),
    ...["archive", "file", "", "__proto__"].map(
      (kind): Attack => ({
        title: `a line of kind ${kind}`,
        code: "bundle/invalid-line",
        bytes: () => {
          const all: (AnyLine | string)[] = lines();
          all[1] = `{"id":"x","kind":${JSON.stringify(kind)}`;
          return summed(all);
        },
      }),
    ),
    ...["lease", "note", "constructor", "__proto__", ""].map(
      (type): Attack => ({
        title: `an object of type ${type}`,
        bytes: () => {
          const all = lines();
          const place = first(all, "toolcall");
          all[place] = { ...all[place], document: { ...documentAt(all, place), type } };
          return summed(all);
        },
      }),
    ),
    ...[-1, 1.5, 1e20, Number.MAX_SAFE_INTEGER, "2024-01-01", null, [1], { now: true }].map(
      (at): Attack => ({
        title: `a version that holds from ${JSON.stringify(at)} on`,
        ...(at === -1 ? {} : { code: "bundle/invalid-line" }),
        bytes: () => {
          const all = lines();
          const place = first(all, "file");
          all[place] = { ...all[place], at: at === -1 ? -1e15 : at };
          return summed(all);
        },
      }),
    ),
    {
      title: "a tool call in place of a file",
      code: "bundle/duplicate",
      bytes: () => {
        const all = lines();
        all[first(all, "toolcall") + 1] = { ...all[first(all, "toolcall")] };
        return counted(all);
      },
    },
    {
      title: "another call's result under its id",
      code: "bundle/invalid-document",
      bytes: () => {
        const all = lines();
        const place = first(all, "toolcall");
        const other = resealed(documentAt(all, place), { content: "other" });
        all[place] = { ...all[place], document: { ...other, content: "and other" } };
        return summed(all);
      },
    },
  ];
}

/** Without its later ones, or with one more, it is another session: its prompts differ, and it fits together. */
function isPrompt(lines: readonly AnyLine[], place: number): boolean {
  return lines[place]?.document?.type === "system_prompt";
}
