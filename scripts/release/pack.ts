import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { ReleasedPackage } from './packages.ts'
import type { Tarball } from './tarball.ts'

/** Runs `npm pack`, which builds the package first. */
export function pack({ directory, manifest }: ReleasedPackage, destination: string): Tarball {
  const scratch = mkdtempSync(join(tmpdir(), 'wardenry-pack-'))
  try {
    execFileSync('tar', ['-xzf', npmPack(directory, scratch), '-C', scratch])
    removeDevelopmentMembers(join(scratch, 'package/package.json'))
    return describe(npmPack(join(scratch, 'package'), destination, '--ignore-scripts'), manifest)
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

function npmPack(directory: string, destination: string, ...options: string[]): string {
  const args = ['pack', '--silent', '--pack-destination', destination, ...options]
  const output = execFileSync('npm', args, { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  // npm prints the file name on the last line, after the build output.
  return join(destination, output.trim().split('\n').at(-1) ?? '')
}

/** The scripts and workspaces need files that are not in the tarball, so npm would warn about them. */
function removeDevelopmentMembers(file: string): void {
  const { scripts, workspaces, allowScripts, devDependencies, ...published } = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, `${JSON.stringify(published, null, 2)}\n`)
}

function describe(file: string, manifest: ReleasedPackage['manifest']): Tarball {
  const listed = execFileSync('tar', ['-tzf', file], { encoding: 'utf8' })
  const paths = listed.split('\n').filter((path) => path !== '' && !path.endsWith('/'))
  return { manifest, file, bytes: statSync(file).size, paths: paths.map((path) => path.replace(/^package\//, '')) }
}

/** Writes SHA256SUMS in the format that `sha256sum --check` reads. */
export function writeChecksums(files: string[], destination: string): void {
  const lines = files.map((file) => {
    const digest = createHash('sha256').update(readFileSync(file)).digest('hex')
    return `${digest}  ${basename(file)}\n`
  })
  writeFileSync(join(destination, 'SHA256SUMS'), lines.join(''))
}

/** Writes a CycloneDX SBOM of the production dependencies for all platforms. */
export function writeSbom(root: string, destination: string): string {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only']
  const sbom = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }))
  // npm uses the directory name, which can differ.
  sbom.metadata.component.name = 'wardenry'
  const file = join(destination, 'sbom.cdx.json')
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`)
  return file
}
