import { openLocalFiles } from './local.ts'

import { checkedName, type FileStore } from './port.ts'
import { openS3Files, type S3Bucket } from './s3.ts'

export type FilePlace = { kind: 'off' } | { kind: 'local'; directory: string } | ({ kind: 's3' } & S3Bucket)

export async function openFiles(place: FilePlace): Promise<FileStore> {
  if (place.kind === 'off') return createNoFiles()
  return place.kind === 'local' ? openLocalFiles(place.directory) : openS3Files(place)
}

const createNoFiles = (): FileStore => ({
  kind: 'off',
  async put() {
    throw new Error('file storage is disabled: STORAGE_URL is off')
  },
  async get(name) {
    checkedName(name)
    return undefined
  },
  async remove(name) {
    checkedName(name)
  },
})
