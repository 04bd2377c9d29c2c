import { EventEmitter } from "node:events";
import type { EventBus } from "../../src/files/mounts-message.ts";

/** As Pi has one for its extensions. */
export function eventBus(): EventBus {
  const emitter = new EventEmitter();
  return {
    emit: (channel, data) => void emitter.emit(channel, data),
    on: (channel, handler) => {
      emitter.on(channel, handler);
      return () => void emitter.off(channel, handler);
    },
  };
}
