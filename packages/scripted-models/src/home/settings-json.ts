/** Settings that keep a Pi to what the test asks: it repeats nothing, warms no cache and reports nothing. */
export const settingsJson = {
  quietStartup: true,
  cacheWarming: "off",
  retry: { enabled: false },
  enableInstallTelemetry: false,
  enableAnalytics: false,
} as const;
