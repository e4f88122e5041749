import { openLocalFiles } from './local.ts'
import { createNoFiles } from './off.ts'
import type { FileStore } from './port.ts'
import { openS3Files, type S3Bucket } from './s3.ts'

export type FilePlace = { kind: 'off' } | { kind: 'local'; directory: string } | ({ kind: 's3' } & S3Bucket)

export async function openFiles(place: FilePlace): Promise<FileStore> {
  if (place.kind === 'off') return createNoFiles()
  return place.kind === 'local' ? openLocalFiles(place.directory) : openS3Files(place)
}
