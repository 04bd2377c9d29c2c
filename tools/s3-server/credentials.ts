/** The credentials of the tests' S3 server. */
export const serverCredentials = { accessKeyId: "test", secretAccessKey: "testsecret" } as const;
