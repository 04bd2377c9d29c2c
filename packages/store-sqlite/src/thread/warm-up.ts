export { coolDownStoreThread, warmUpStoreThread } from "./workers.ts";
