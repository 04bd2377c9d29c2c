import { type FilesystemBinding, type ObjectStore, type Source, sha256 } from "@cm/object-model";
import { plainLayout, plainPolicy, rendererFor } from "@cm/render";
import { openSession, type Session } from "@cm/session";
import { SessionScript } from "@cm/testkit";

/** What a terminal would obey, what turns a line around, and what would break it. */
export const hostilePath = "/project/\u001b[2Jred\u202egpj.\nname.txt";
export const hostileText = "before\u001b]0;title\u0007after\u202e\tend\n";
export const widePath = "/project/日本語の名前.md";

export const firstNotes = "one\ntwo\nthree\n";
export const secondNotes = "one\n2\nthree\nfour\n";

/** Files that are a map. */
export class MapSource implements Source<FilesystemBinding> {
  readonly contract = "source/1";
  readonly type = "filesystem";
  readonly files = new Map<string, string>();

  parseBinding(value: unknown): FilesystemBinding {
    return value as FilesystemBinding;
  }

  describe({ filesystemId, path }: FilesystemBinding) {
    return { namespace: filesystemId, path, display: path };
  }

  async observe(requests: Parameters<Source<FilesystemBinding>["observe"]>[0]) {
    return requests.map(({ binding: { path }, known, want }) => {
      const text = this.files.get(path);
      if (text === undefined) return { kind: "absent" as const };
      if (want === "existence") return { kind: "exists" as const };
      const sourceHash = sha256(text);
      if (known?.sourceHash === sourceHash) return { kind: "unchanged" as const, state: { sourceHash } };
      return { kind: "present" as const, sourceHash, content: { text }, state: { sourceHash } };
    });
  }
}

/** A session whose client writes one step and then is gone, without closing it. */
export async function leaveSession(store: ObjectStore, session: string, client: { owner: string; now: number }) {
  const options = { store, session, layout: { policy: plainPolicy, renderer: plainLayout }, leaseMs: 60_000 };
  const left = await openSession({ ...options, owner: client.owner, now: () => client.now });
  await left.assemble();
  await left.record({ answer: { role: "assistant", text: "Done." } });
  await left.abandon();
}

/** Calls so far: every store gets the same ids. */
let calls = 0;

/** Two sessions that met one file: `alpha` in three steps, the file changed between them, `beta` in one. */
export async function fillSample(store: ObjectStore): Promise<void> {
  const source = new MapSource();
  source.files.set("/project/notes.txt", firstNotes);
  source.files.set(hostilePath, hostileText);
  source.files.set(widePath, "wide\n");
  let now = Date.UTC(2026, 0, 2, 3, 4, 5);
  const open = (session: string): Promise<Session> =>
    openSession({
      ...{
        store,
        session,
        layout: { policy: plainPolicy, renderer: plainLayout },
        rendererFor,
        sources: [source as Source],
      },
      systemPrompt: "Be brief.",
      now: () => {
        now += 1_000;
        return now;
      },
    });
  calls = 0;
  const alpha = await open("alpha");
  await alpha.receive([{ role: "user", text: "Look at the notes." }]);
  await step(alpha, ["/project/notes.txt"], firstNotes);
  source.files.set("/project/notes.txt", secondNotes);
  await step(alpha, ["/project/notes.txt"], secondNotes);
  await step(alpha, [hostilePath, widePath], hostileText);
  await alpha.close();
  const beta = await open("beta");
  await step(beta, ["/project/notes.txt"], secondNotes);
  await beta.close();
}

async function step(session: Session, paths: readonly string[], text: string): Promise<void> {
  calls += 1;
  const files = paths.map((path) => ({
    binding: { type: "filesystem" as const, filesystemId: "disk", path },
    as: "read" as const,
    span: { startLine: 1 },
  }));
  const callId = `call-${session.session}-${calls}`;
  await new SessionScript().read(paths[0] ?? "", text, { callId, files }).playInto(session);
}
