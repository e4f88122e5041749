import type { Plugin } from 'rolldown'

/**
 * Packages that only some installations or requests need. Each is bundled into a file of its own, which is loaded on
 * first use, so that a service that does not use the package needs no memory for it.
 */
const packages = [
  '@opentelemetry/api',
  '@opentelemetry/exporter-metrics-otlp-http',
  '@opentelemetry/exporter-metrics-otlp-proto',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/exporter-trace-otlp-proto',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-metrics',
  '@opentelemetry/sdk-trace',
  '@simplewebauthn/server',
  '@simplewebauthn/server/helpers',
  '@zxcvbn-ts/language-common',
  'nodemailer',
  'redis',
  's3mini',
]

const prefix = 'separate:'
const nameOf = (id: string): string => id.replace('@', '').replaceAll('/', '-')

/** The input of the build that writes the files. */
export const separateEntries = Object.fromEntries(packages.map((id) => [nameOf(id), `${prefix}${id}`]))

/** Creates the entry points. Each lists its exports, because a bundler cannot list those of a CommonJS package. */
export const separateExports: Plugin = {
  name: 'separate-exports',
  resolveId: (id) => (id.startsWith(prefix) ? id : null),
  async load(entry) {
    if (!entry.startsWith(prefix)) return null
    const id = entry.slice(prefix.length)
    const names = Object.keys(await import(id)).filter((name) => /^(?!__esModule)[\w$]+$/.test(name))
    return `export { ${names.join(', ')} } from ${JSON.stringify(id)}`
  },
}

/**
 * Redirects imports in the sources to these files. If another bundled package imports one of the packages, it gets its
 * own copy.
 */
export const separateImports = (sources: string): Plugin => ({
  name: 'separate-imports',
  resolveId: (id, importer) =>
    packages.includes(id) && importer?.startsWith(sources)
      ? { id: `./packages/${nameOf(id)}.js`, external: true }
      : null,
})
