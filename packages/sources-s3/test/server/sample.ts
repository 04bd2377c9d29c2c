import { CreateBucketCommand, HeadBucketCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { serverCredentials } from "../../../../tools/s3-server/credentials.ts";

/** What the program of the README reads: `s3://notes/today.md`. Any number of times on one server. */
export async function putSample(url: string): Promise<void> {
  const client = new S3Client({
    endpoint: url,
    region: "us-east-1",
    forcePathStyle: true,
    credentials: serverCredentials,
  });
  try {
    const Bucket = "notes";
    await client.send(new HeadBucketCommand({ Bucket })).catch(() => client.send(new CreateBucketCommand({ Bucket })));
    await client.send(new PutObjectCommand({ Bucket, Key: "today.md", Body: "Water the plants.\n" }));
  } finally {
    client.destroy();
  }
}
