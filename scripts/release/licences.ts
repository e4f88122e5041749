export interface LockedPackage {
  version?: string
  license?: string
  dev?: boolean
  link?: boolean
  hasInstallScript?: boolean
}

export interface PackageLicence {
  name: string
  version: string
  licence: string | undefined
}

const allowed = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  '0BSD',
  'CC0-1.0',
])

// These packages contain libvips and its dependencies, which are under the LGPL (see NOTICE).
const excepted: [name: RegExp, licence: string][] = [
  [/^@img\/sharp-libvips-/, 'LGPL-3.0-or-later'],
  [/^@img\/sharp-win32-/, 'Apache-2.0 AND LGPL-3.0-or-later'],
  [/^@img\/sharp-wasm32$/, 'Apache-2.0 AND LGPL-3.0-or-later AND MIT'],
]

/** If licences are joined by OR, one of them must be allowed. If they are joined by AND, all must be allowed. */
export function isAllowed(name: string, licence = ''): boolean {
  if (excepted.some(([pattern, exact]) => pattern.test(name) && licence === exact)) return true
  const choices = licence.replace(/^\((.*)\)$/, '$1').split(' OR ')
  return choices.some((choice) => choice.split(' AND ').every((part) => allowed.has(part)))
}

/** `readLicence` is called for packages whose licence is not in the lock file. */
export function productionLicences(
  packages: Record<string, LockedPackage>,
  readLicence: (path: string) => string | undefined,
): PackageLicence[] {
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && !link && !dev)
    .map(([path, { version = '', license }]) => ({
      name: packageName(path),
      version,
      licence: license ?? readLicence(path),
    }))
    .sort((one, other) => one.name.localeCompare(other.name, 'en'))
}

export function licenceProblems(list: PackageLicence[]): string[] {
  return list
    .filter(({ name, licence }) => !isAllowed(name, licence))
    .map(({ name, version, licence = 'none' }) => `${name} ${version} has a licence that is not allowed: ${licence}`)
}

export const packageName = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
