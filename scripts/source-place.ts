import { fileURLToPath } from 'node:url'

// The package's directory, relative to `build/app/`.
const root = new URL('../../', import.meta.url)

/** The source path of a bundled module. Its templates and SQL files are in the same directory. */
export const sourceUrl = (file: string): string => new URL(file, root).href

export const sourceDirectory = (file: string): string => fileURLToPath(new URL('.', sourceUrl(file)))
