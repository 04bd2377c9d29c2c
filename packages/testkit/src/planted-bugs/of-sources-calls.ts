import type { Observation } from "@cm/object-model";
import { alteredSource, answering, type MemoryRequest, type PlantedSourceBug } from "./planted-source-bug.ts";

const late: Observation = { kind: "absent" };

export const bugsOfSourceCalls: readonly PlantedSourceBug[] = [
  alteredSource("A look that is given up throws.", ["SRC-017"], (inner) => ({
    observe: async (requests, bounds, signal) => {
      signal?.throwIfAborted();
      return inner.observe(requests, bounds, signal);
    },
  })),
  alteredSource("What a look given up did not come to is gone.", ["SRC-017"], (inner) => ({
    observe: async (requests, bounds, signal) =>
      signal?.aborted === true ? requests.map(() => late) : inner.observe(requests, bounds, signal),
  })),
  alteredSource("What is not read within the deadline is gone.", ["SRC-017"], (inner) => ({
    observe: async (requests, bounds, signal) =>
      bounds.deadlineMs < 10 ? requests.map(() => late) : inner.observe(requests, bounds, signal),
  })),
  alteredSource("What is not read within the deadline is an error.", ["SRC-017"], (inner) => ({
    observe: async (requests, bounds, signal) => {
      if (bounds.deadlineMs < 10) throw new Error("The deadline has passed.");
      return inner.observe(requests, bounds, signal);
    },
  })),
  alteredSource("What is not read within the deadline has no answer.", ["SRC-017"], (inner) => ({
    observe: async (requests, bounds, signal) => {
      const answers = await inner.observe(requests, bounds, signal);
      return bounds.deadlineMs < 10 ? answers.slice(0, 50) : answers;
    },
  })),
  alteredSource("Once given up, the source looks no more.", ["SRC-017"], (inner) => {
    let over = false;
    return {
      observe: async (requests, bounds, signal) => {
        over ||= signal?.aborted === true;
        return over
          ? requests.map(() => ({ kind: "unreachable", reason: "the look was given up" }))
          : inner.observe(requests, bounds, signal);
      },
    };
  }),
  alteredSource("Answers to the same request are one object.", ["SRC-018"], (inner) => ({
    async observe(requests, bounds, signal) {
      const answers = await inner.observe(requests, bounds, signal);
      const keys = requests.map((request) => JSON.stringify(request));
      return answers.map((answer, n) => answers[keys.indexOf(keys[n] ?? "")] ?? answer);
    },
  })),
  alteredSource("Answers are kept and given again.", ["SRC-018"], (inner) => {
    const kept = new Map<string, Observation>();
    return {
      async observe(requests, bounds, signal) {
        const answers = await inner.observe(requests, bounds, signal);
        return answers.map((answer, n) => {
          const key = JSON.stringify([requests[n], answer]);
          kept.set(key, kept.get(key) ?? answer);
          return kept.get(key) ?? answer;
        });
      },
    };
  }),
  alteredSource("Requests are written into.", ["SRC-018"], (inner) => ({
    observe: (requests, bounds, signal) =>
      inner.observe(
        requests.map((request: MemoryRequest) => Object.assign(request, { want: request.want ?? "content" })),
        bounds,
        signal,
      ),
  })),
  answering("Answers carry a function.", ["SRC-018"], (answer) => ({ ...answer, again: () => answer })),
  alteredSource("Looks share the place where they keep what was asked.", ["SRC-019"], (inner) => {
    let asked: readonly MemoryRequest[] = [];
    return {
      async observe(requests, bounds, signal) {
        asked = requests;
        await Promise.resolve();
        return inner.observe(asked, bounds, signal);
      },
    };
  }),
  alteredSource("While one look is under way, others are told that the state is unknown.", ["SRC-019"], (inner) => {
    let busy = false;
    return {
      async observe(requests, bounds, signal) {
        if (busy) return requests.map(() => ({ kind: "unreachable", reason: "the source is busy" }));
        busy = true;
        const answers = await inner.observe(requests, bounds, signal);
        busy = false;
        return answers;
      },
    };
  }),
  alteredSource("A closed source goes on.", ["SRC-020"], () => ({ close: async () => {} })),
  alteredSource("A closed source throws.", ["SRC-020"], (inner) => {
    let closed = false;
    return {
      observe: async (requests, bounds, signal) => {
        if (closed) throw new Error("The source is closed.");
        return inner.observe(requests, bounds, signal);
      },
      close: async () => {
        closed = true;
      },
    };
  }),
  alteredSource("In a closed source, everything is gone.", ["SRC-020"], (inner) => {
    let closed = false;
    return {
      observe: async (requests, bounds, signal) =>
        closed ? requests.map(() => ({ kind: "absent" })) : inner.observe(requests, bounds, signal),
      close: async () => {
        closed = true;
      },
    };
  }),
  alteredSource("A source can be closed once.", ["SRC-020"], (inner) => {
    let closed = false;
    return {
      close: async () => {
        if (closed) throw new Error("The source is closed already.");
        closed = true;
        await inner.close?.();
      },
    };
  }),
];
