export { namedStore, nodeUrls, type StoreAddress, shownStore } from "./address.ts";
export { agentFolder, ownFolder, type Surroundings, storeFileIn, type Variables, withHome } from "./folders.ts";
export { limits } from "./limits.ts";
export { isNodeSupported, supportedNodes } from "./node-version.ts";
export {
  isOpenToReading,
  isOpenToWriting,
  isPlaceWritable,
  modeText,
  type StoreFileFacts,
  storeFileFacts,
} from "./store-file.ts";
