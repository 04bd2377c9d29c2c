import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { createMemoryStateStore } from "@cm/lineage";
import { createMemoryStore, type ObjectStore } from "@cm/object-model";
import { readPolicy } from "../../src/governance/read-policy.ts";
import { serverTypes } from "../../src/store/open-store.ts";
import { type GovernedWorld, policyArgs } from "./governed.ts";
import { serverWith } from "./running-server.ts";
import { serverProcess } from "./server-process.ts";

/** Servers in processes of their own, on the store at an address. */
export const processesOn =
  (address?: string): GovernedWorld["mortal"] =>
  () => {
    const place = address === undefined ? [] : ["--store", address, "--namespace", `n${randomUUID().slice(0, 8)}`];
    return (folder, presets) => serverProcess(folder, presets, [...policyArgs, ...place]);
  };

/** Servers in this process, on one memory. Of one that was killed nothing reaches it any more. */
export const inMemory: GovernedWorld["mortal"] = () => {
  const store = createMemoryStore({ types: serverTypes });
  const states = createMemoryStateStore();
  return async (folder, presets) => {
    const life = { isOver: false };
    const policy = readPolicy(join(folder, "policy.json"));
    const governance = { policy, taskDefaults: policy.taskDefaults, spool: join(folder, "spool") };
    const server = await serverWith((presets as { readonly presets: Record<string, object> }).presets, folder, {
      ...{ store: whileAlive(store, life), states, name: "one", governance },
    });
    return {
      ...server,
      async kill() {
        life.isOver = true;
      },
    };
  };
};

/** A store that answers as long as its server lives. */
export function whileAlive(store: ObjectStore, life: { readonly isOver: boolean }): ObjectStore {
  const alive =
    <Given extends unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      if (life.isOver) throw new Error("The server was killed.");
      return call(...given);
    };
  return {
    contract: store.contract,
    getMany: alive((...given: Parameters<ObjectStore["getMany"]>) => store.getMany(...given)),
    commit: alive((...given: Parameters<ObjectStore["commit"]>) => store.commit(...given)),
    history: alive((...given: Parameters<ObjectStore["history"]>) => store.history(...given)),
    find: alive((...given: Parameters<ObjectStore["find"]>) => store.find(...given)),
    erase: alive((...given: Parameters<ObjectStore["erase"]>) => store.erase(...given)),
  };
}
