import type { ContextPolicy, ContextView, Prices, PromptDecision } from "@cm/context-log";
import { type ContextLogOptions, type ContextLogPreset, contextLogPolicy, type Protection } from "@cm/render";

interface Policies {
  readonly preset: ContextLogPreset;
  readonly protection: Protection;
  readonly usual: ContextPolicy;
  readonly foldsNow: ContextPolicy;
}

/**
 * The context log's policy as a person steers it while a session runs: another model may have another preset, what is
 * protected may change, and a fold may be asked for. What it decides is recorded with each step as ever, so old prompts are rebuilt without it.
 */
export class SteeredPolicy implements ContextPolicy {
  readonly contract = "policy/1";
  readonly name = "context-log";
  readonly #preset: () => ContextLogPreset;
  readonly #protection: () => Protection;
  #policies: Policies | undefined;
  /** The first request that may fold for a person. */
  #foldsFrom: number | undefined;
  /** The one that does: asked for again, it does so again. */
  #foldsAt: number | undefined;

  /** Both are asked for each request. @param protection another object where it is another one */
  constructor(preset: () => ContextLogPreset, protection: () => Protection) {
    this.#preset = preset;
    this.#protection = protection;
  }

  /** As the policy is made now. */
  get options(): ContextLogOptions {
    return { preset: this.#preset(), protection: this.#protection() };
  }

  /** Folds with the next request that is decided, if it is this one or a later one. */
  foldFrom(step: number): void {
    this.#foldsFrom = step;
    this.#foldsAt = undefined;
  }

  decide(view: ContextView, prices: Prices): PromptDecision {
    const { usual, foldsNow } = this.#made();
    return (this.#isFolding(view) ? foldsNow : usual).decide(view, prices);
  }

  /** What a fold that is asked for would make of a request. */
  folded(view: ContextView, prices: Prices): PromptDecision {
    return this.#made().foldsNow.decide(view, prices);
  }

  #isFolding({ step }: ContextView): boolean {
    if (this.#foldsFrom === undefined || step < this.#foldsFrom) return false;
    this.#foldsAt ??= step;
    if (this.#foldsAt === step) return true;
    this.#foldsFrom = undefined;
    return false;
  }

  #made(): Policies {
    const preset = this.#preset();
    const protection = this.#protection();
    const made = this.#policies;
    if (made?.preset === preset && made.protection === protection) return made;
    const options = { preset, protection };
    const policies = {
      ...options,
      usual: contextLogPolicy(options),
      foldsNow: contextLogPolicy({ ...options, foldsNow: true }),
    };
    this.#policies = policies;
    return policies;
  }
}
