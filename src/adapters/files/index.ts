import type { StorageOperation } from '../metrics/port.ts'
import { openLocalFiles } from './local.ts'
import { checkedName, type FileStore } from './port.ts'
import { openS3Files, type S3Bucket } from './s3.ts'

export type FilePlace = { kind: 'off' } | { kind: 'local'; directory: string } | ({ kind: 's3' } & S3Bucket)

export type OnStorageError = (operation: StorageOperation) => void

export async function openFiles(place: FilePlace, onError: OnStorageError = () => {}): Promise<FileStore> {
  if (place.kind === 'off') return createNoFiles()
  const files = place.kind === 'local' ? openLocalFiles(place.directory) : openS3Files(place)
  return reportingErrors(await files, onError)
}

function reportingErrors(files: FileStore, onError: OnStorageError): FileStore {
  const report = (operation: StorageOperation) => (error: unknown) => {
    onError(operation)
    throw error
  }
  return {
    kind: files.kind,
    put: (name, bytes, contentType) => files.put(name, bytes, contentType).catch(report('put')),
    get: (name) => files.get(name).catch(report('get')),
    remove: (name) => files.remove(name).catch(report('remove')),
  }
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
