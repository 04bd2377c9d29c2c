import type { Observation } from "@cm/object-model";
import { alteredSource, answering, asking, hashing, type PlantedSourceBug } from "./planted-source-bug.ts";

const lost: Observation = { kind: "unreachable", reason: "it cannot be read" };

export const bugsOfSourceStates: readonly PlantedSourceBug[] = [
  asking("What was known is not compared.", ["SRC-004", "SRC-010"], ({ known: _, ...request }) => request),
  answering("What is unchanged loses its state.", ["SRC-010"], (answer) =>
    answer.kind === "unchanged" ? { ...answer, state: {} } : answer,
  ),
  alteredSource("A state is known only as the object that was given out.", ["SRC-010"], (inner) => {
    const given = new WeakSet<object>();
    return {
      async observe(requests, bounds, signal) {
        const asked = requests.map(({ known, ...request }) =>
          known !== undefined && (given.has(known) || known.hint === undefined) ? { ...request, known } : request,
        );
        const answers = await inner.observe(asked, bounds, signal);
        for (const answer of answers) if ("state" in answer) given.add(answer.state);
        return answers;
      },
    };
  }),
  answering("What is withheld is never unchanged.", ["SRC-010"], (answer, { thing, bounds: { contentBytesMax } }) =>
    answer.kind === "unchanged" && thing !== undefined && thing.bytes.length > contentBytesMax
      ? {
          kind: "present",
          sourceHash: `${answer.state.sourceHash}`,
          content: { withheld: "too_large" },
          state: answer.state,
        }
      : answer,
  ),
  hashing("Things of equal length are equal.", ["SRC-011", "SRC-009"], ({ bytes }) => `${bytes.length} bytes`),
  alteredSource("A look is not repeated within the same turn of the clock.", ["SRC-011"], (inner) => {
    const looks = new Map<string, number>();
    return {
      async observe(requests, bounds, signal) {
        const answers = await inner.observe(requests, bounds, signal);
        return answers.map((answer, n) => {
          const { binding, known } = requests[n] ?? {};
          const before = looks.get(binding?.path ?? "") ?? 0;
          looks.set(binding?.path ?? "", Date.now());
          return answer.kind === "present" && known?.hint !== undefined && Date.now() - before < 100
            ? { kind: "unchanged", state: known }
            : answer;
        });
      },
    };
  }),
  answering("Every hint is believed.", ["SRC-011", "SRC-012"], (answer, { request: { known } }) =>
    answer.kind === "present" && known?.hint !== undefined ? { kind: "unchanged", state: known } : answer,
  ),
  answering("Every hash is believed.", ["SRC-011", "SRC-012"], (answer, { request: { known } }) =>
    answer.kind === "present" && known?.sourceHash !== undefined ? { kind: "unchanged", state: known } : answer,
  ),
  alteredSource("One number of changes stands for all things of a world.", ["SRC-012"], (inner, world) => {
    // As a commit would: the state of one thing is good for any other, as long as nothing is changed.
    let revision = 0;
    const put = world.put.bind(world);
    world.put = (path, bytes) => {
      revision += 1;
      put(path, bytes);
    };
    return {
      async observe(requests, bounds, signal) {
        const answers = await inner.observe(
          requests.map(({ known: _, ...request }) => request),
          bounds,
          signal,
        );
        return answers.map((answer, n) => {
          if (answer.kind !== "present") return answer;
          const { sourceHash } = answer;
          const known = requests[n]?.known;
          const state = { sourceHash, hint: `commit ${revision}` };
          const same = known?.hint === state.hint || known?.sourceHash === sourceHash;
          return same ? { kind: "unchanged", state } : { ...answer, state };
        });
      },
    };
  }),
  answering("What is gone is out of reach.", ["SRC-013"], (answer) => (answer.kind === "absent" ? lost : answer)),
  answering("What was there is there.", ["SRC-013"], (answer, { request: { known } }) =>
    answer.kind === "absent" && known?.hint !== undefined ? { kind: "unchanged", state: known } : answer,
  ),
  answering("What is known to be gone is not looked at.", ["SRC-013", "SRC-016"], (answer, { request: { known } }) =>
    known?.absent === true ? { kind: "absent" } : answer,
  ),
  answering("What was never there is out of reach.", ["SRC-013"], (answer, { request: { known = {} } }) =>
    answer.kind === "absent" && known.absent !== true ? lost : answer,
  ),
  answering("In a folder that is not there, nothing is absent.", ["SRC-013"], (answer, { request: { binding } }) =>
    answer.kind === "absent" && binding.path.startsWith("no/such/folder") ? lost : answer,
  ),
  answering("What is out of reach is gone.", ["SRC-004", "SRC-014", "SRC-015"], (answer) =>
    answer.kind === "unreachable" ? { kind: "absent" } : answer,
  ),
  answering("What is out of reach does not exist.", ["SRC-014", "SRC-016"], (answer, { request: { want } }) =>
    answer.kind === "unreachable" && want === "existence" ? { kind: "absent" } : answer,
  ),
  answering("A world that does not exist is empty.", ["SRC-004", "SRC-014"], (answer, { request, world }) =>
    request.binding.world === world.name ? answer : { kind: "absent" },
  ),
  answering("What is out of reach is as it was.", ["SRC-014", "SRC-015"], (answer, { request: { known } }) =>
    answer.kind === "unreachable" && known?.hint !== undefined ? { kind: "unchanged", state: known } : answer,
  ),
  answering("A reason names the thing.", ["SRC-014"], (answer, { request: { binding } }) =>
    answer.kind === "unreachable" ? { ...answer, reason: `cannot look at ${binding.path}` } : answer,
  ),
  answering("A reason quotes the thing.", ["SRC-014"], (answer, { thing }) =>
    answer.kind === "unreachable" && thing !== undefined
      ? { ...answer, reason: `lost: ${Buffer.from(thing.bytes).toString()}` }
      : answer,
  ),
  alteredSource("What was out of reach once stays so.", ["SRC-015"], (inner, world) => {
    let gone = false;
    return {
      async observe(requests, bounds, signal) {
        gone ||= !world.inReach;
        return gone ? requests.map(() => lost) : inner.observe(requests, bounds, signal);
      },
    };
  }),
  alteredSource("What was out of reach is gone afterwards, until it changes.", ["SRC-015"], (inner, world) => {
    const missed = new Set<string>();
    return {
      async observe(requests, bounds, signal) {
        const answers = await inner.observe(requests, bounds, signal);
        return answers.map((answer, n) => {
          const path = requests[n]?.binding.path ?? "";
          if (!world.inReach) missed.add(path);
          return world.inReach && missed.delete(path) ? { kind: "absent" } : answer;
        });
      },
    };
  }),
  asking(
    "Whether it exists is answered with the content.",
    ["SRC-004", "SRC-016"],
    ({ want: _, ...request }) => request,
  ),
  answering("What is too large does not exist.", ["SRC-016"], (answer, { thing, bounds: { contentBytesMax } }) =>
    answer.kind === "exists" && (thing?.bytes.length ?? 0) > contentBytesMax ? { kind: "absent" } : answer,
  ),
  alteredSource("A folder exists like the things in it.", ["SRC-016"], (inner, world) => {
    const folders = new Set<string>();
    const put = world.put.bind(world);
    world.put = (path, bytes) => {
      folders.add(path.split("/", 1)[0] ?? "");
      put(path, bytes);
    };
    return {
      async observe(requests, bounds, signal) {
        const answers = await inner.observe(requests, bounds, signal);
        return answers.map((answer, n) =>
          answer.kind === "absent" && folders.has(requests[n]?.binding.path ?? "") ? { kind: "exists" } : answer,
        );
      },
    };
  }),
  answering("What exists as it was known is unchanged.", ["SRC-016"], (answer, { request: { known } }) =>
    answer.kind === "exists" && known?.hint !== undefined ? { kind: "unchanged", state: known } : answer,
  ),
];
