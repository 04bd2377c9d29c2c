import { DatabaseSync } from "node:sqlite";

/** Tells of each connection of this thread, right before it closes, what its commits wait for: 2 is FULL, 1 NORMAL. */
export function onSynchronousAtClose(tell: (level: number) => void): () => void {
  const { close } = DatabaseSync.prototype;
  DatabaseSync.prototype.close = function (this: DatabaseSync) {
    tell(Number(this.prepare("PRAGMA synchronous").get()?.synchronous));
    close.call(this);
  };
  return () => {
    DatabaseSync.prototype.close = close;
  };
}
