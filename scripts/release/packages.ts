import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Manifest {
  name: string
  version: string
  private?: boolean
  license?: string
  repository?: unknown
  engines?: { node?: string }
  bin?: Record<string, string>
  exports?: Record<string, Record<string, string>>
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

export interface ReleasedPackage {
  directory: string
  manifest: Manifest
}

/** The published packages: first those for applications, then the service. */
export function releasedPackages(root: string): ReleasedPackage[] {
  const files = globSync('packages/*/package.json', { cwd: root }).sort()
  return [...files, 'package.json'].map((file) => ({
    directory: join(root, dirname(file)),
    manifest: JSON.parse(readFileSync(join(root, file), 'utf8')),
  }))
}

export function manifestProblems(manifests: Manifest[], version: string): string[] {
  return manifests.flatMap(({ name, private: isPrivate, version: own, license, engines }) => [
    ...(own === version ? [] : [`${name}: the version is ${own}, and the one of the service is ${version}`]),
    ...(isPrivate ? [`${name}: "private" prevents publishing`] : []),
    ...(license === 'Apache-2.0' ? [] : [`${name}: the licence is ${license ?? 'missing'}, not Apache-2.0`]),
    ...(engines?.node ? [] : [`${name}: "engines" does not name the versions of Node.js`]),
  ])
}
