import { readFile } from 'node:fs/promises'

/** Reads a file that the operator has named. */
export const readInputFile = (path: string): Promise<Buffer> =>
  readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(sentenceFor(path, error.code))
  })

function sentenceFor(path: string, code = ''): string {
  if (code === 'ENOENT') return `There is no file ${path}: check the path`
  if (code === 'EISDIR') return `${path} is a directory: pass the path of a file`
  if (code === 'EACCES' || code === 'EPERM') return `${path} cannot be read: check who owns it and its permissions`
  return `${path} cannot be read: ${code}`
}
