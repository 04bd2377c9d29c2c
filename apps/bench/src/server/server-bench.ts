import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStateStore, type StateStore } from "@cm/lineage";
import type { ObjectStore } from "@cm/object-model";
import { type Play, type ScriptedModel, startScriptedModel } from "@cm/scripted-models";
import { accessOf, parsePresets, type RunningServer, serverTypes, startServer } from "@cm/server";
import { openSqliteStore } from "@cm/store-sqlite";
import { absolute, compared, type Figure, median } from "../figure.ts";
import { fillConversations } from "../lineage-bench.ts";
import { observedStore } from "../observed-store.ts";

const rounds = 5;
const startsPerRound = 20;
const stepsOfTheForked = 500;
const conversations = 10_000;
const readers = 100;
const answersOfTheRead = 100;

/** What a server adds to its runs: starts, forks, lists and readers, on SQLite, with a scripted model on loopback. */
export async function serverBench(): Promise<readonly Figure[]> {
  const scripted = await startScriptedModel();
  try {
    return [
      ...(await startFigures(scripted)),
      await forkFigure(scripted),
      await listFigure(scripted),
      await readersFigure(scripted),
    ];
  } finally {
    await scripted.close();
  }
}

interface World {
  readonly server: RunningServer;
  post(path: string, body: object): Promise<Response>;
}

/** A server on a SQLite file in a folder of its own, for as long as `work` takes. */
async function withServer<Value>(
  play: Play,
  work: (world: World) => Promise<Value>,
  around: (store: ObjectStore) => ObjectStore = (store) => store,
  fill: (path: string) => Promise<void> = async () => {},
): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), "cm-bench-"));
  try {
    writeFileSync(join(folder, "a.txt"), "alpha\n");
    const path = join(folder, "server.sqlite");
    await fill(path);
    const store = openSqliteStore({ path, types: serverTypes });
    const states: StateStore = createMemoryStateStore();
    const model = { id: "scripted", api: "anthropic-messages", baseUrl: play.url };
    const preset = { model, prompt: "You work.", folders: ["."], budget: { stepsMax: 1_000 } };
    const presets = parsePresets(JSON.stringify({ presets: { p: preset } }), "presets.json");
    const given = { states, presets, roots: [folder], access: accessOf([]), env: {} };
    const server = await startServer({ ...given, store: around(store) });
    const post = (at: string, body: object) =>
      fetch(`${server.url}${at}`, {
        ...{ method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } },
      });
    try {
      return await work({ server, post });
    } finally {
      await server.stop();
      await store.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A run from its request until it is in the records. */
async function whole({ post }: World, body: object, path = "/api/conversations/run"): Promise<void> {
  const answer = await post(path, body);
  const text = await answer.text();
  if (!answer.ok || !text.includes('"RUN_FINISHED"')) throw new Error(`A run of the bench failed: ${answer.status}`);
}

/** Milliseconds of this process's processor, which other programs on the machine change little. */
const spentMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** From the request of a client until the model has the first request of the run; and whole runs beside bare requests. */
async function startFigures(scripted: ScriptedModel): Promise<readonly Figure[]> {
  let askedMs = 0;
  const play = scripted.play(() => {
    askedMs = spentMs();
    return { text: "Done." };
  });
  return withServer(play, async (world) => {
    const first = await world.post("/api/conversations/run", { input: "First.", transport: "stream" });
    const { conversation_id } = (await first.json()) as { readonly conversation_id: string };
    await world.server.runtime.live.get(conversation_id)?.done;
    const [starts, runs, bare]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < rounds; round += 1) {
      const [started, ran, alone]: [number[], number[], number[]] = [[], [], []];
      for (let n = 0; n < startsPerRound; n += 1) {
        const before = spentMs();
        await whole(world, { conversation_id, input: `And ${n}?` });
        started.push(askedMs - before);
        ran.push(spentMs() - before);
        const again = spentMs();
        await askBare(play);
        alone.push(spentMs() - again);
      }
      starts.push(median(started));
      runs.push(median(ran));
      bare.push(median(alone));
    }
    const peer = { what: "the same request by itself", value: median(bare) };
    return [
      absolute(
        {
          id: "server.start",
          what: "processor's time from a client's request until the model is asked",
          unit: "ms",
          goal: 20,
        },
        starts,
      ),
      compared(
        { id: "server.run", what: "processor's time of a run of one answer, read to its end", unit: "ms", goal: null },
        median(runs),
        peer,
      ),
    ];
  });
}

/** The last request once more, with nothing around it: what the model itself takes. */
async function askBare({ url, requests }: Play): Promise<void> {
  const last = requests.at(-1);
  const headers = { "content-type": "application/json", "x-api-key": "none", "anthropic-version": "2023-06-01" };
  await (await fetch(`${url}/v1/messages`, { method: "POST", headers, body: JSON.stringify(last?.body) })).text();
}

/** Documents that a fork writes until its model is asked. */
async function forkFigure(scripted: ScriptedModel): Promise<Figure> {
  let written = 0;
  let atTheModel = 0;
  const play = scripted.play(({ index }) => {
    atTheModel = written;
    if (index >= stepsOfTheForked - 1) return { text: "Done." };
    return { calls: [{ name: "read", args: { path: "a.txt" } }] };
  });
  const counting = (store: ObjectStore) =>
    observedStore(store, (commit, writes) => {
      written += writes.length;
      return commit();
    });
  const documents = await withServer(
    play,
    async (world) => {
      await whole(world, { input: "Read it again and again." });
      const [source] = (await world.server.runtime.lineage.runs({})).runs;
      const steps = source?.run_summary?.usage.model_requests;
      if (steps !== stepsOfTheForked) throw new RangeError(`The forked session has ${steps} steps.`);
      written = 0;
      await whole(world, { input: "And now?" }, `/api/conversations/${source?.conversation_id}/fork`);
      return atTheModel;
    },
    counting,
  );
  const what = `documents written by a fork of ${stepsOfTheForked} steps until its model is asked`;
  return absolute({ id: "server.fork", what, unit: "documents", goal: 9 }, [documents]);
}

/** A page of conversations over HTTP. */
async function listFigure(scripted: ScriptedModel): Promise<Figure> {
  const metadata = encodeURIComponent(JSON.stringify({ customer: "c7", tags: ["t3"] }));
  const times = await withServer(
    scripted.play([]),
    async ({ server }) => {
      const found: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const before = spentMs();
        const answer = await fetch(`${server.url}/api/conversations/list?status=active&metadata=${metadata}`);
        const { items } = (await answer.json()) as { readonly items: readonly unknown[] };
        found.push(spentMs() - before);
        if (items.length === 0) throw new RangeError("The list of the bench is empty.");
      }
      return found;
    },
    undefined,
    fillConversations,
  );
  const what = `50 of ${conversations.toLocaleString("en")} conversations by two metadata over HTTP, processor's time`;
  return absolute({ id: "server.list", what, unit: "ms", goal: 50 }, times);
}

/** Runs that many read at once, beside runs that one reads: the processor's time of all of it, readers included. */
async function readersFigure(scripted: ScriptedModel): Promise<Figure> {
  const play = scripted.play(({ sent }) => {
    const said = sent.messages.filter(({ role }) => role === "assistant").length;
    return said % answersOfTheRead === answersOfTheRead - 1
      ? { text: "Done." }
      : { text: `Step ${said}.`, calls: [{ name: "read", args: { path: "a.txt" } }] };
  });
  return withServer(play, async (world) => {
    const [many, one]: [number[], number[]] = [[], []];
    await readRun(world, 1);
    for (let round = 0; round < 3; round += 1) {
      one.push(await readRun(world, 1));
      many.push(await readRun(world, readers));
    }
    return compared(
      {
        id: "server.readers",
        what: `processor's time of a run of ${answersOfTheRead} answers that ${readers} read, readers included`,
        ...{ unit: "ms", goal: null },
      },
      median(many),
      { what: "one reader", value: median(one) },
    );
  });
}

/** @returns milliseconds of this process's processor @throws RangeError where a reader lacks an event */
async function readRun({ server, post }: World, count: number): Promise<number> {
  const before = spentMs();
  const begun = await post("/api/conversations/run", { input: "Read.", transport: "stream" });
  const { session_id: id } = (await begun.json()) as { readonly session_id: string };
  const read = await Promise.all(
    Array.from({ length: count }, async () => (await fetch(`${server.url}/api/sessions/${id}/events`)).text()),
  );
  const spent = spentMs() - before;
  const last = server.runtime.live.get(id)?.buffer.lastId;
  if (read.some((text) => !text.includes(`id: ${last}\n`) || text !== read[0]))
    throw new RangeError("A reader of the bench lacks events.");
  return spent;
}
