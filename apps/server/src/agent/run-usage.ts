import type { Usage } from "@cm/context-log";

/** What the requests to one model used, in tokens as the provider counted them. */
export interface ModelUsage extends Usage {
  readonly provider: string;
  readonly model: string;
  readonly requests: number;
}

/** The tokens of a run, by model. */
export class RunUsage {
  readonly #byModel = new Map<string, ModelUsage>();

  add(model: { readonly provider: string; readonly id: string }, usage: Usage): void {
    const key = `${model.provider}/${model.id}`;
    const before = this.#byModel.get(key) ?? { ...nothing, provider: model.provider, model: model.id };
    this.#byModel.set(key, {
      ...before,
      requests: before.requests + 1,
      input: before.input + usage.input,
      output: before.output + usage.output,
      cacheRead: before.cacheRead + usage.cacheRead,
      cacheWrite: before.cacheWrite + usage.cacheWrite,
    });
  }

  get byModel(): readonly ModelUsage[] {
    return [...this.#byModel.values()];
  }

  get requests(): number {
    return this.byModel.reduce((sum, { requests }) => sum + requests, 0);
  }

  get tokens(): number {
    return this.byModel.reduce((sum, usage) => sum + tokensOf(usage), 0);
  }
}

const nothing = { requests: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

const tokensOf = ({ input, output, cacheRead, cacheWrite }: Usage): number => input + output + cacheRead + cacheWrite;
