import type { LineageErrorCode, RunStatus } from "../../src/index.ts";

export interface ModelRun {
  readonly id: string;
  readonly conversation: string;
  readonly parent: string | null;
  readonly name: string | null;
  readonly spawner: string | null;
  readonly owner: string;
  readonly incarnation: number;
  status: RunStatus;
}

interface ModelConversation {
  readonly id: string;
  status: "active" | "archived";
  metadata: Record<string, unknown>;
}

interface ModelPost {
  readonly run: string;
  readonly outcome: "result" | "failed";
  takenBy: string | null;
}

/** What an operation refuses. */
export class ModelRefusal extends Error {
  readonly code: LineageErrorCode;
  constructor(code: LineageErrorCode) {
    super(code);
    this.code = code;
  }
}

/** The rules of lineage over plain arrays in the order of creation, where every answer is looked for in all of them. */
export class ModelLineage {
  readonly runs: ModelRun[] = [];
  readonly conversations: ModelConversation[] = [];
  readonly posts: ModelPost[] = [];
  readonly owners = new Map<string, { incarnation: number; expiresAt: number }>();
  readonly leaseMs: number;
  now = 0;

  constructor(leaseMs: number) {
    this.leaseMs = leaseMs;
  }

  take(owner: string): void {
    const incarnation = (this.owners.get(owner)?.incarnation ?? 0) + 1;
    this.owners.set(owner, { incarnation, expiresAt: this.now + this.leaseMs });
  }

  renew(owner: string): void {
    this.#owner(owner).expiresAt = this.now + this.leaseMs;
  }

  root(owner: string, id: string, metadata: Record<string, unknown>): void {
    this.#beforeStart(owner);
    this.conversations.push({ id, status: "active", metadata });
    this.#add(owner, { id, conversation: id, parent: null, name: null, spawner: null });
  }

  continue(owner: string, id: string, conversation: string, parent?: string): void {
    this.#beforeStart(owner);
    this.#ready(conversation, owner);
    const newest = this.#newest(conversation, null);
    if (parent !== undefined) {
      const named = this.runs.find((run) => run.id === parent);
      if (named === undefined || !isSnapshot(named)) throw new ModelRefusal("lineage/not-found");
      if (named !== newest) throw new ModelRefusal("lineage/invalid");
    }
    const from = newest?.id ?? this.#beginning(conversation);
    this.#failRunning(conversation);
    this.#add(owner, { id, conversation, parent: from, name: null, spawner: null });
  }

  fork(owner: string, id: string, conversation: string, from?: string): void {
    this.#beforeStart(owner);
    this.#conversation(conversation);
    let parent = this.#newest(conversation, null);
    if (from !== undefined) {
      parent = this.runs.find((run) => run.id === from);
      if (parent !== undefined && parent.conversation !== conversation) throw new ModelRefusal("lineage/invalid");
    }
    if (parent === undefined || !isSnapshot(parent)) throw new ModelRefusal("lineage/not-found");
    this.conversations.push({ id, status: "active", metadata: {} });
    this.#add(owner, { id, conversation: id, parent: parent.id, name: null, spawner: null });
  }

  subagent(owner: string, id: string, spawner: string, name: string): void {
    this.#beforeStart(owner);
    const { conversation } = this.#run(spawner);
    this.#add(owner, { id, conversation, parent: this.#newest(conversation, name)?.id ?? null, name, spawner });
  }

  fire(owner: string, id: string, conversation: string): void {
    this.#beforeStart(owner);
    this.#ready(conversation, owner);
    const waiting = this.mailbox(conversation);
    const parent = this.#newest(conversation, null)?.id ?? this.#beginning(conversation);
    if (waiting.length === 0) throw new ModelRefusal("lineage/empty-mailbox");
    // What the run of a process that is gone had taken comes back after this run has taken the others.
    this.#failRunning(conversation);
    for (const post of waiting) post.takenBy = id;
    this.#add(owner, { id, conversation, parent, name: null, spawner: null });
  }

  end(owner: string, id: string, status: "committed" | "awaiting_tool_results" | "failed"): void {
    const run = this.#run(id);
    if (run.status !== "created") throw new ModelRefusal("lineage/bad-move");
    if (run.owner !== owner || run.incarnation !== this.#owner(owner).incarnation) {
      throw new ModelRefusal("lineage/not-ours");
    }
    this.#end(run, status);
  }

  archive(id: string): void {
    const run = this.#run(id);
    if (run.status !== "committed") throw new ModelRefusal("lineage/bad-move");
    run.status = "archived";
  }

  update(id: string, status: "active" | "archived", metadata: Record<string, unknown>): void {
    const conversation = this.#conversation(id);
    conversation.status = status;
    for (const [name, value] of Object.entries(metadata)) {
      if (value === null) delete conversation.metadata[name];
      else conversation.metadata[name] = value;
    }
  }

  recover(owner: string): readonly string[] {
    const orphans = this.runs.filter((run) => run.status === "created" && !this.#isAlive(run, owner));
    for (const run of orphans) this.#end(run, "failed");
    return orphans.map(({ id }) => id);
  }

  mailbox(conversation: string): readonly ModelPost[] {
    this.#conversation(conversation);
    const ofIt = this.runs.filter((run) => run.conversation === conversation);
    return ofIt.flatMap((run) => this.posts.filter((post) => post.run === run.id && post.takenBy === null));
  }

  turns(conversation: string): readonly string[] {
    this.#conversation(conversation);
    const ofIt = this.runs.filter((run) => run.conversation === conversation && run.name === null && isSnapshot(run));
    return ofIt.map(({ id }) => id);
  }

  list(status: string, member: readonly [string, unknown]): readonly string[] {
    const [name, value] = member;
    const met = this.conversations.filter((one) => one.status === status && one.metadata[name] === value);
    return met.map(({ id }) => id).reverse();
  }

  running(conversation: string): string | null {
    const running = this.runs.find(
      (run) => run.conversation === conversation && run.name === null && run.status === "created",
    );
    return running?.id ?? null;
  }

  /** A start renews a lease that is half over. */
  #beforeStart(owner: string): void {
    if (this.#owner(owner).expiresAt - this.now < this.leaseMs / 2) this.renew(owner);
  }

  #ready(id: string, owner: string): void {
    if (this.#conversation(id).status === "archived") throw new ModelRefusal("lineage/invalid");
    const running = this.runs.find(({ id: run }) => run === this.running(id));
    if (running !== undefined && this.#isAlive(running, owner)) throw new ModelRefusal("lineage/busy");
  }

  #failRunning(conversation: string): void {
    const running = this.runs.find(({ id }) => id === this.running(conversation));
    if (running !== undefined) this.#end(running, "failed");
  }

  #end(run: ModelRun, status: RunStatus): void {
    run.status = status;
    if (run.name !== null) {
      this.posts.push({ run: run.id, outcome: status === "failed" ? "failed" : "result", takenBy: null });
    } else if (status === "failed") {
      for (const post of this.posts) if (post.takenBy === run.id) post.takenBy = null;
    }
  }

  #isAlive(run: ModelRun, asked: string): boolean {
    const { incarnation, expiresAt } = this.#owner(run.owner);
    if (run.incarnation !== incarnation) return false;
    return run.owner === asked || expiresAt > this.now;
  }

  #newest(conversation: string, name: string | null): ModelRun | undefined {
    return this.runs.findLast((run) => run.conversation === conversation && run.name === name && isSnapshot(run));
  }

  /** The parent of the first run, where no run of the conversation was committed. */
  #beginning(conversation: string): string | null {
    const { parent } = this.#run(conversation);
    if (parent !== null && !isSnapshot(this.#run(parent))) throw new ModelRefusal("lineage/not-found");
    return parent;
  }

  #add(owner: string, run: Omit<ModelRun, "owner" | "incarnation" | "status">): void {
    this.runs.push({ ...run, owner, incarnation: this.#owner(owner).incarnation, status: "created" });
  }

  #run(id: string): ModelRun {
    const run = this.runs.find((one) => one.id === id);
    if (run === undefined) throw new ModelRefusal("lineage/not-found");
    return run;
  }

  #conversation(id: string): ModelConversation {
    const conversation = this.conversations.find((one) => one.id === id);
    if (conversation === undefined) throw new ModelRefusal("lineage/not-found");
    return conversation;
  }

  #owner(name: string) {
    const owner = this.owners.get(name);
    if (owner === undefined) throw new RangeError("There is no such owner.");
    return owner;
  }
}

const isSnapshot = ({ status }: ModelRun): boolean => status === "committed" || status === "awaiting_tool_results";
