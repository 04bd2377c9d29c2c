import { statfsSync } from "node:fs";
import { contains } from "./contains.ts";

/** File systems that the kernel makes up (`linux/magic.h`): reading one may wait for ever or change the machine. */
const kernelTypes = new Set([
  0x9fa0, // proc
  0x62656572, // sysfs
  0x64626720, // debugfs
  0x74726163, // tracefs
  0x73636673, // securityfs
  0x62656570, // configfs
  0x27e0eb, // cgroup
  0x63677270, // cgroup2
  0x1cd1, // devpts
  0xcafe4a11, // bpf
  0xde5e81e4, // efivarfs
  0x6165676c, // pstore
  0xf97cff8c, // selinux
  0x65735543, // fusectl
  0x19800202, // mqueue
  0x6e736673, // nsfs
]);

/** Tells files of the kernel, one question per device. Forget it soon: device numbers are used again. */
export class KernelFiles {
  readonly #byDevice = new Map<bigint, boolean>();

  has(path: string, device: bigint): boolean {
    if (contains("/proc", path) || contains("/sys", path)) return true;
    let made = this.#byDevice.get(device);
    if (made === undefined) {
      made = isKernelGenerated(path);
      this.#byDevice.set(device, made);
    }
    return made;
  }
}

function isKernelGenerated(path: string): boolean {
  try {
    return kernelTypes.has(statfsSync(path).type);
  } catch {
    return false;
  }
}
