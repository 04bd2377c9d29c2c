/** Drawn once, and put together here so that no scanner takes them for ours. */
export const token = "q7Rk2".concat("vXw9Lm4Zt8Bc3Nd6Hy");
export const uuid = "3f2a8c04-".concat("9b1e-4d7a-a6c5-0e82d1f4b793");
export const wordlike = "Z2S5mJqPlDwSl9CNGtty".concat("zE2a0MKIRNKy42Xh0ofe");
export const hex = "9c1f".concat("04b7e2d85a6390fe7c21d4b8a6053e9f7c12");
export const login = Buffer.from(`ada:${token}`).toString("base64");
export const long = Buffer.from(Array.from({ length: 240 }, (_, n) => (n * 89 + 41 * (n >> 3)) % 251)).toString(
  "base64",
);
export const uuidPath = `/prod/app/${"db_password"}`;
export const pemEnd = "-----END RSA PRIV".concat("ATE KEY-----");
export const base64Line = long.slice(0, 64);
export const bcrypt = `$2y$10$${"N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy"}`;
export const crypt = `$6$Qz8kLm2x$${`${token}${token}${token}${token}`.slice(0, 86)}`;
