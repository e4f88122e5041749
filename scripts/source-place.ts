import { fileURLToPath } from 'node:url'

// The package's directory, seen from `build/app/`.
const root = new URL('../../', import.meta.url)

/** Where a bundled module stood as a source: its templates and SQL are still there. */
export const sourceUrl = (file: string): string => new URL(file, root).href

export const sourceDirectory = (file: string): string => fileURLToPath(new URL('.', sourceUrl(file)))
