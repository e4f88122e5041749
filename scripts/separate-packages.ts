import { join } from 'node:path'
import type { Plugin } from 'rolldown'
import manifest from '../package.json' with { type: 'json' }

/**
 * Packages that only some installations or requests need. They are bundled into files of their own, which are loaded on
 * first use, so that a service that does not use them needs no memory for them.
 */
const separate = /^(@opentelemetry\/|@simplewebauthn\/|@zxcvbn-ts\/language-common$|nodemailer$|redis$|s3mini$)/

/** npm installs these packages with the published package, because they are native or contain WebAssembly. */
const installed = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })

/** Also true for `pg-native`, which `pg` loads only if an application has installed it. */
export const isInstalled = (id: string): boolean =>
  id === 'pg-native' || installed.some((name) => id === name || id.startsWith(`${name}/`))

export interface SeparatePackages {
  isSeparate(id: string, importer?: string): boolean
  /** The file that contains the package, relative to `build/app`. */
  fileOf(id: string): string | undefined
  /** The input of the build that creates the files, and a plugin that it needs. */
  entries(): Promise<[input: Record<string, string>, plugin: Plugin]>
}

/** Remembers which packages the sources import, because each becomes an entry point. */
export function separatePackages(sources: string): SeparatePackages {
  const imported = new Set<string>()
  return {
    isSeparate(id, importer) {
      // Other packages that import one of these packages contain their own copy.
      if (!separate.test(id) || !importer?.startsWith(sources) || !isPresent(id)) return false
      imported.add(id)
      return true
    },
    fileOf: (id) => (imported.has(id) ? `./packages/${nameOf(id)}.js` : undefined),
    async entries() {
      const ids = [...imported].sort()
      const codes = await Promise.all(ids.map(entryCode))
      const places = new Map(ids.map((id, index) => [join(sources, `${nameOf(id)}.entry.js`), codes[index]]))
      const input = Object.fromEntries([...places.keys()].map((place, index) => [nameOf(ids[index] ?? ''), place]))
      return [input, { name: 'entries', resolveId: (id) => (places.has(id) ? id : null), load: (id) => places.get(id) }]
    },
  }
}

/** A bundler cannot list the exports of a CommonJS package, so the entry point names them. */
async function entryCode(id: string): Promise<string> {
  const names = Object.keys(await import(id)).filter((name) => /^(?!__esModule)[\w$]+$/.test(name))
  return `export { ${names.join(', ')} } from ${JSON.stringify(id)}`
}

/** Optional packages may be missing in a checkout. */
function isPresent(id: string): boolean {
  try {
    import.meta.resolve(id)
    return true
  } catch {
    return false
  }
}

const nameOf = (id: string): string => id.replace('@', '').replaceAll('/', '-')
