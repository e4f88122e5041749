import { checkedName } from './name.ts'
import type { FileStore } from './port.ts'

export const createNoFiles = (): FileStore => ({
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
