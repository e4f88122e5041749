import type { Manifest } from './packages.ts'

/** `paths` are relative to the package root. */
export interface Tarball {
  manifest: Manifest
  file: string
  bytes: number
  paths: string[]
}

const megabyte = 1_000_000

/** Catches a large file that was included by accident. For the service, this is about 1.5 times the current size. */
export const sizeLimit = (name: string): number => (name === 'wardenry' ? 7 * megabyte : 0.2 * megabyte)

const forbidden = [
  /^(test|bench|docs|examples|scripts|packages|release|data|screenshots)\//,
  /(^|\/)(node_modules|build\/cache)\//,
  // Hidden files, such as .env.
  /(^|\/)\./,
  /\.(test|spec)\.\w+$/,
  /(?<!\.d)\.tsx?$/,
  /\.(map|log|tgz|pem|key|p12|webp|png|jpe?g|gif)$/,
  /(^|\/)secrets\.json$/,
]

export const forbiddenPaths = (paths: string[]): string[] =>
  paths.filter((path) => forbidden.some((pattern) => pattern.test(path)))

/** The files that npm, Node.js or the licences require. */
export function requiredPaths({ bin = {}, exports = {}, name }: Manifest): string[] {
  const ofService = ['NOTICE', 'CHANGELOG.md', 'build/app/main.js', 'build/app/LICENSES.txt', 'build/embedded.tar.gz']
  const targets = [...Object.values(bin), ...Object.values(exports).flatMap((target) => Object.values(target))]
  const always = ['package.json', 'README.md', 'LICENSE', ...(name === 'wardenry' ? ofService : [])]
  return [...new Set([...always, ...targets.map((path) => path.replace(/^\.\//, ''))])]
}

export function tarballProblems({ manifest, bytes, paths }: Tarball): string[] {
  const { name } = manifest
  const missing = requiredPaths(manifest).filter((path) => !paths.includes(path))
  const limit = sizeLimit(name)
  return [
    ...missing.map((path) => `${name}: ${path} is missing from the tarball`),
    ...forbiddenPaths(paths).map((path) => `${name}: ${path} must not be part of the tarball`),
    ...(bytes > limit ? [`${name}: the tarball has ${bytes} bytes, and at most ${limit} are allowed`] : []),
  ]
}
