import type { ContextView, PartForm } from "@cm/context-log";

/** The form of every part of which nothing else is said. */
export const fullForm: PartForm = { form: "full" };

/** How a message's id says where its text was cut. */
export const spansSuffix = ({ head, tail }: PartForm & { readonly form: "spans" }): string => `spans@${head}.${tail}`;

/** Short name of an object within the session; the id where the view does not know it. */
export function aliasOf(view: ContextView, object: string): string {
  return view.objects.get(object)?.alias ?? object;
}
