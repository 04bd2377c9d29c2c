// The form that an adapter fills in. A test of an adapter needs a `SourceFactory` and nothing else.
import type { Source, SourceBinding } from "@cm/object-model";

/**
 * The outside world of one source: a folder, a repository at a ref, a bucket. A fresh one is empty and in reach.
 * Changes are done when the call returns: each look from then on sees them.
 */
export interface SourceWorld<B extends SourceBinding = SourceBinding> {
  /** Makes or changes the thing under a name such as `a.txt` or `folder/b.txt`; gives its binding. */
  put(name: string, bytes: Uint8Array): Promise<B>;
  /** Takes away a thing that is there. */
  remove(name: string): Promise<void>;
  /** The binding of a name, whether a thing is there or not. The same name always gives the same binding. */
  binding(name: string): Promise<B>;
  /** A binding in a place that is not there for this source: a foreign file system id, no such repository or bucket. */
  elsewhere(): Promise<B>;
  /** Takes the whole world out of reach: root moved away, repository or bucket gone, server down. */
  unreach(): Promise<void>;
  /** Brings it back with everything that was in it, under the same bindings. */
  reach(): Promise<void>;
  /** Whether things can have this name; without it, any. The suite asks before it puts a hostile one. */
  canHold?(name: string): boolean;
}

export interface SourceSubject<B extends SourceBinding = SourceBinding> {
  readonly source: Source<B>;
  readonly world: SourceWorld<B>;
  /** Closes the source and clears the world away; also after `source.close()`, and while out of reach. */
  close(): Promise<void>;
}
