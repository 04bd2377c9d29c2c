/** What the S3 server of the tests takes. */
export const serverCredentials = { accessKeyId: "test", secretAccessKey: "testsecret" } as const;
