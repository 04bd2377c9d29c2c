export { decodeContent, type EncodedContent, encodeContent } from "./content-codec.ts";
export { deepFreeze } from "./deep-freeze.ts";
export {
  contentHashOf,
  contentWhenAsked,
  type DocumentRow,
  documentOf,
  type PackedContent,
  type PayloadRow,
  payloadOf,
  withLaterContent,
} from "./document-row.ts";
export { endOfPrefix, fromOrderedText, toOrderedText } from "./ordered-text.ts";
export { type EncodedPayload, encodePayload } from "./payload-codec.ts";
