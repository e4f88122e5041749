import type { FileStore } from './port.ts'
import { checkedName } from './port.ts'

export interface S3Bucket {
  /** The bucket URL, including the folder: https://s3.example.com/bucket/folder */
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

const requestTimeoutMs = 8_000

/** The bucket may be private because the service reads and serves the files itself. */
export async function openS3Files(bucket: S3Bucket): Promise<FileStore> {
  const { S3mini } = await import('s3mini')
  // Redirects are rejected because the signature is valid for this host only.
  const goNowhereElse: typeof fetch = (url, options) => fetch(url, { ...options, redirect: 'error' })
  const s3 = new S3mini({ ...bucket, requestAbortTimeout: requestTimeoutMs, fetch: goNowhereElse })

  return {
    kind: 's3',
    async put(name, bytes, contentType) {
      await s3.putObject(checkedName(name), bytes, contentType)
    },
    async get(name) {
      const bytes = await s3.getObjectArrayBuffer(checkedName(name))
      return bytes ? new Uint8Array(bytes) : undefined
    },
    async remove(name) {
      if (!(await s3.deleteObject(checkedName(name)))) throw new Error('the object store did not delete a file')
    },
  }
}
