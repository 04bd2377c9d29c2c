import type { ObjectStore } from "@cm/object-model";
import type { Session } from "@cm/session";
import { requestsOf } from "@cm/session/past";
import type { Api, Model } from "@earendil-works/pi-ai";

/** How a model is named in a session: another one has another cache, and takes no signatures of this one. */
export const nameOf = ({ provider, id }: Pick<Model<Api>, "provider" | "id">): string => `${provider}/${id}`;

/**
 * The answers of a session that another model gave, by their places in its log, with that model's name. A conversation
 * may go on with another preset, and a signature that a provider did not make is refused by it.
 */
export async function answersOfOthers(
  store: ObjectStore,
  session: Session,
  model: Model<Api>,
): Promise<ReadonlyMap<number, string>> {
  const models: (string | undefined)[] = [];
  if (!session.opened.continued) return new Map();
  for await (const request of requestsOf(store, session.session))
    models.push("model" in request ? request.model : undefined);
  const own = nameOf(model);
  if (models.every((name) => name === own)) return new Map();
  const places = session.view().log.flatMap(({ kind }, place) => (kind === "assistant" ? [place] : []));
  return new Map(
    places.flatMap((place, n): readonly (readonly [number, string])[] => {
      const name = models[n];
      return n >= models.length || name === own ? [] : [[place, name ?? "unknown/unknown"]];
    }),
  );
}
