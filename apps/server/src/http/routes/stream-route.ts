import { createRoute, z } from "@hono/zod-openapi";
import { problems } from "../answers.ts";

/** A route whose answer is the events of a run. */
export const streamRoute = <Path extends string, Params extends z.ZodObject>(
  path: Path,
  params: Params,
  summary: string,
) =>
  createRoute({
    ...{ method: "get", path, summary, tags: ["Events"] },
    request: { params, headers: z.object({ "last-event-id": z.string().optional() }) },
    responses: {
      200: { content: { "text/event-stream": { schema: z.string() } }, description: "AG-UI events as they come" },
      204: { description: "The run is over, and the reader has all of it" },
      ...problems,
    },
  });
