import { isCmError } from "@cm/object-model";
import { OpenAPIHono } from "@hono/zod-openapi";
import { bodyLimit } from "hono/body-limit";
import { HTTPException } from "hono/http-exception";
import { routePath } from "hono/route";
import { limits } from "../limits.ts";
import { asCaller } from "../runs/caller.ts";
import { isFromHere } from "./access.ts";
import { handOnElsewhere } from "./hand-on.ts";
import { type Problem, problemOf } from "./problems.ts";
import { agUiRoutes } from "./routes/ag-ui.ts";
import { approvalRoutes } from "./routes/approvals.ts";
import { conversationRoutes } from "./routes/conversations.ts";
import { governedSessionRoutes } from "./routes/governed-sessions.ts";
import { presetRoutes } from "./routes/service.ts";
import { sessionRoutes } from "./routes/sessions.ts";
import { workspaceRoutes } from "./routes/workspaces.ts";
import type { ServerState } from "./server-state.ts";

/** Everything under `/api`, as the client's types have it. */
const apiOf = (state: ServerState) =>
  new OpenAPIHono()
    .route("/", conversationRoutes(state))
    .route("/", sessionRoutes(state))
    .route("/", presetRoutes(state))
    .route("/", approvalRoutes(state))
    .route("/", governedSessionRoutes(state))
    .route("/", workspaceRoutes(state));

export type Api = ReturnType<typeof apiOf>;

/** What the framework refuses by itself. */
const refusals: Readonly<Record<number, string>> = {
  400: "The body is no JSON.",
  415: "The body is not said to be JSON; send it with content-type: application/json.",
};

/** The whole server as a function from requests to answers. */
export function appOf(state: ServerState): OpenAPIHono {
  const app = new OpenAPIHono();
  measure(app, state);
  health(app, state);
  guard(app, state);
  handOnElsewhere(app, state);
  app.route("/", apiOf(state));
  app.route("/", agUiRoutes(state));
  app.openAPIRegistry.registerComponent("securitySchemes", "token", { type: "http", scheme: "bearer" });
  app.doc31("/api/openapi.json", {
    openapi: "3.1.0",
    info: { title: "Context Manager server", version: state.version },
    security: [{ token: [] }],
  });
  app.notFound((c) =>
    c.json({ error: "not_found", message: "There is nothing at this address." } satisfies Problem, 404),
  );
  app.onError((error, c) => {
    if (error instanceof HTTPException) {
      const message = refusals[error.status] ?? "The request is refused.";
      return c.json({ error: "invalid_request", message } satisfies Problem, error.status);
    }
    // Who left in the middle of the body reads no answer, and it is no fault of ours.
    if (c.req.raw.signal.aborted && "code" in error && error.code === "ECONNRESET")
      return c.json({ error: "invalid_request", message: "The body was cut off." } satisfies Problem, 400);
    const { status, body } = problemOf(error);
    // A start that a server refuses because it stops is no fault of it.
    if (status >= 500 && !isCmError(error, "lineage/shutting-down"))
      state.log({ level: "error", at: routePath(c), message: String(error), stack: error.stack });
    return c.json(body, status);
  });
  return app;
}

function measure(app: OpenAPIHono, { metrics }: ServerState): void {
  app.use(async (c, next) => {
    const begunMs = performance.now();
    await next();
    metrics.answered(c.req.method, routePath(c, -1), c.res.status, performance.now() - begunMs);
  });
}

/** Asked by machines that have no token: they learn whether it lives, and figures without names. */
function health(app: OpenAPIHono, { metrics, store, isStopping, version }: ServerState): void {
  const alive = { status: "ok", version };
  app.get("/healthz", (c) => c.json(alive));
  app.get("/api/health", (c) => c.json(alive));
  app.get("/readyz", async (c) => {
    if (isStopping()) return c.json({ status: "stopping" }, 503);
    try {
      await store.getMany(["run_owner:readiness"]);
      return c.json({ status: "ready" });
    } catch {
      return c.json({ status: "the store does not answer" }, 503);
    }
  });
  app.get("/metrics", async (c) =>
    c.text(await metrics.registry.metrics(), 200, { "content-type": metrics.registry.contentType }),
  );
}

/** Who may ask, and how much. */
function guard(app: OpenAPIHono, { access }: ServerState): void {
  app.use("/api/*", async (c, next) => {
    const name = access.nameOf(c.req.header("authorization"));
    if (access.isClosed) {
      if (name === undefined)
        return c.json(
          { error: "unauthorized", message: "Give a token: Authorization: Bearer ..." } satisfies Problem,
          401,
        );
    } else if (!isFromHere(c.req.header("host"), c.req.header("origin"))) {
      return c.json(
        {
          error: "forbidden",
          message: "Without tokens this server answers programs of its own machine alone.",
        } satisfies Problem,
        403,
      );
    }
    return name === undefined ? next() : asCaller(name, next);
  });
  app.use(
    "/api/*",
    bodyLimit({
      maxSize: limits.bodyBytesMax,
      onError: (c) =>
        c.json(
          { error: "too_large", message: `A body has at most ${limits.bodyBytesMax} bytes.` } satisfies Problem,
          413,
        ),
    }),
  );
}
