import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { ok } from "../answers.ts";
import type { ServerState } from "../server-state.ts";

const preset = z
  .object({ preset_id: z.string(), description: z.string().nullable(), model: z.string() })
  .openapi("Preset");

const presetsRoute = createRoute({
  ...{ method: "get", path: "/api/presets/list", tags: ["Presets"], summary: "The agents that this server runs" },
  responses: ok(z.object({ items: z.array(preset) }), "All of them"),
});

/** What a client may ask before anything else. */
export function presetRoutes({ runtime: { presets } }: ServerState) {
  return new OpenAPIHono().openapi(presetsRoute, (c) => {
    const items = presets.names.map((preset_id) => {
      const { description, model } = presets.get(preset_id).preset;
      return { preset_id, description: description ?? null, model: model.id };
    });
    return c.json({ items }, 200);
  });
}
