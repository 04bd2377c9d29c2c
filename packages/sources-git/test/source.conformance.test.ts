// @module-tag process
// Verifies: SSOT 5.5, 5.6, 5.8, 5.9, 5.11
import type { GitBinding, SourceBinding } from "@cm/object-model";
import { runSuite, type SourceFactory, sourceSuite } from "@cm/testkit";
import { expect, it } from "vitest";
import { type Content, commit, openRepository } from "./support/repository.ts";

type Kind = readonly [title: string, init: readonly string[]];

const open =
  (init: readonly string[]): SourceFactory =>
  async () => {
    // A look by the timer in between would only repeat what the suite waits for.
    const repository = openRepository({ init, pollMs: 60_000 });
    const files = new Map<string, Content>();
    const namespace = await repository.binding("any");
    const binding = (name: string): Promise<GitBinding> => Promise.resolve({ ...namespace, path: name });
    const elsewhere: SourceBinding = { ...namespace, repo: "example.test/no/such/repository", path: "a.txt" };
    return {
      source: repository.source,
      world: {
        async put(name, bytes) {
          files.set(name, bytes);
          commit(repository.folder, files);
          return binding(name);
        },
        async remove(name) {
          files.delete(name);
          commit(repository.folder, files);
        },
        binding,
        elsewhere: async () => ({ ...elsewhere }),
        unreach: async () => repository.moveAway(),
        reach: async () => repository.moveBack(),
      },
      close: () => repository.close(),
    };
  };

const isCampaign = process.env.CM_CAMPAIGN === "1";
const withTree: Kind = ["a repository with a working tree and SHA-256", ["--object-format=sha256"]];

// A bare one is read in every run by `repositories`, `refs` and `unreadable`.
it.each<Kind>(isCampaign ? [withTree, ["a bare repository", ["--bare"]]] : [withTree])(
  "keeps the contract of sources on %s",
  async (_title, init) => {
    const { ok, results } = await runSuite(sourceSuite, open(init));

    expect(results.filter(({ outcome }) => outcome !== "held")).toEqual([]);
    expect(ok).toBe(true);
  },
);
