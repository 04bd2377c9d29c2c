import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { ModelUsage } from "../agent/run-usage.ts";

/** Figures of one server, for Prometheus. Labels name types, models and routes, never conversations. */
export class Metrics {
  readonly registry = new Registry();
  readonly #started: Counter<"type">;
  readonly #ended: Counter<"type" | "status">;
  readonly #seconds: Histogram<"type">;
  readonly #tokens: Counter<"provider" | "model" | "kind">;
  readonly #requests: Counter<"method" | "route" | "status">;
  readonly #latency: Histogram<"route">;

  constructor(now: { readonly running: () => number; readonly readers: () => number }) {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    this.#started = new Counter({
      name: "cm_runs_started_total",
      help: "Runs that were started",
      labelNames: ["type"],
      registers,
    });
    this.#ended = new Counter({
      name: "cm_runs_ended_total",
      help: "Runs that came to an end",
      labelNames: ["type", "status"],
      registers,
    });
    this.#seconds = new Histogram({
      name: "cm_run_seconds",
      help: "How long runs took",
      labelNames: ["type"],
      buckets: [1, 3, 10, 30, 100, 300, 1_000, 3_000],
      registers,
    });
    this.#tokens = new Counter({
      name: "cm_model_tokens_total",
      help: "Tokens as providers counted them",
      labelNames: ["provider", "model", "kind"],
      registers,
    });
    this.#requests = new Counter({
      name: "cm_http_requests_total",
      help: "Requests that were answered",
      labelNames: ["method", "route", "status"],
      registers,
    });
    this.#latency = new Histogram({
      name: "cm_http_request_seconds",
      help: "Time until an answer began",
      labelNames: ["route"],
      buckets: [0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
      registers,
    });
    gauge("cm_runs_running", "Runs that go on now", now.running, registers);
    gauge("cm_event_readers", "Readers of runs that are connected now", now.readers, registers);
  }

  started(type: string): void {
    this.#started.inc({ type });
  }

  ended(type: string, status: string, ms: number, usage: readonly ModelUsage[]): void {
    this.#ended.inc({ type, status });
    this.#seconds.observe({ type }, ms / 1_000);
    for (const { provider, model, ...counts } of usage) {
      for (const kind of ["input", "output", "cacheRead", "cacheWrite"] as const)
        this.#tokens.inc({ provider, model, kind }, counts[kind]);
    }
  }

  answered(method: string, route: string, status: number, ms: number): void {
    this.#requests.inc({ method, route, status: String(status) });
    this.#latency.observe({ route }, ms / 1_000);
  }
}

function gauge(name: string, help: string, value: () => number, registers: Registry[]): void {
  new Gauge({
    ...{ name, help, registers },
    collect() {
      this.set(value());
    },
  });
}
