import { openLocalFiles } from './local.ts'
import { createNoFiles } from './off.ts'
import type { FileStore } from './port.ts'

/** `directory` is undefined when storage is switched off. */
export const openFiles = async (directory: string | undefined): Promise<FileStore> =>
  directory === undefined ? createNoFiles() : openLocalFiles(directory)
