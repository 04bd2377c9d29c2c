/** Every bound of this source beside those of the object model, unit last. */
export const limits = {
  bucketCharsMin: 3,
  bucketCharsMax: 63,
  /** S3 counts a key in bytes of UTF-8. */
  keyBytesMax: 1_024,
  endpointCharsMax: 512,
  /** Endpoints that one source may be configured with. */
  endpointsMax: 64,
  /** An ETag longer than this, or not printable, is no answer. */
  etagCharsMax: 256,
  /** A version id beyond this is not remembered. */
  versionIdCharsMax: 1_024,
  /** Requests of one source on their way at the same time, those of its trackers included. */
  requestsAtOnceMax: 16,
  /** Bytes of a listing or of an error; a page of 1,000 of the longest keys, each byte escaped, is half of it. */
  markupBytesMax: 8 * 1024 * 1024,
  /** How often one request is tried while the deadline lasts. */
  attemptsMax: 3,
  /** The first pause between two tries; each further one is twice as long, and chance takes up to half of it off. */
  pauseMs: 100,
  pauseMsMax: 2_000,
  /** How often an object is read that is another one whenever its length is asked for. */
  roundsMax: 3,
  /** Until a connection stands. */
  connectMs: 3_000,
  /** Until an answer begins, and between two pieces of it. */
  answerMs: 8_000,
  /** From so many known objects of one bucket on, a listing is tried before they are asked for one by one. */
  listFromKeys: 12,
  /** A listing may take one page of 1,000 keys for so many objects that are looked for, and no more. */
  keysPerListedPage: 12,
  /** The share of the deadline that a listing may use up. */
  listingShare: 0.3,
  /** After a listing was too long or failed, so many looks at that bucket go without one. */
  looksWithoutListing: 20,
  /** Buckets for which that is remembered. */
  bucketsRememberedMax: 1_000,
  /** Between two looks of a tracker at one bucket, before chance and back-off. */
  pollMs: 30_000,
  pollMsMin: 100,
  /** The longest pause of a tracker after errors. */
  pollMsMax: 600_000,
  /** Chance makes a pause longer or shorter by up to this share, so that many clients do not look at once. */
  jitterShare: 0.2,
  /** A tracker that has to look at objects one by one looks less often rather than ask faster than this. */
  headsPerSecondMax: 20,
  /** One look of a tracker at one bucket, in which it asks for at most `followedMax` objects. */
  lookMs: 60_000,
  /** Objects that one tracker follows. */
  followedMax: 10_000,
} as const;
