export { referenceFile as file, referenceToolcall as toolcall, referenceTypes as testTypes } from "@cm/testkit";
