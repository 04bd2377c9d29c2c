import { DatabaseSync } from "node:sqlite";

/** Tells of each commit of this thread what it waits for: 2 is FULL, 1 NORMAL. */
export function onSynchronousOfCommits(tell: (level: number) => void): () => void {
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql: string) {
    const statement = prepare.call(this, sql);
    if (sql !== "COMMIT") return statement;
    const run = statement.run.bind(statement);
    statement.run = () => {
      tell(Number(prepare.call(this, "PRAGMA synchronous").get()?.synchronous));
      return run();
    };
    return statement;
  };
  return () => {
    DatabaseSync.prototype.prepare = prepare;
  };
}
