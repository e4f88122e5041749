import { execFileSync } from 'node:child_process'
import type { Manifest } from './packages.ts'
import type { Tarball } from './tarball.ts'

export interface TreeState {
  /** The output of `git status --porcelain`. */
  status: string
  /** The tags of the checked-out commit. */
  tags: string[]
}

export function readTree(root: string): TreeState {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' })
  return { status: git('status', '--porcelain'), tags: git('tag', '--points-at', 'HEAD').split('\n').filter(Boolean) }
}

export function treeProblems({ status, tags }: TreeState, version: string): string[] {
  const tag = `v${version}`
  return [
    ...(status.trim() ? [`the working tree has changes that are not committed:\n${status.trimEnd()}`] : []),
    ...(tags.includes(tag) ? [] : [`the commit that is checked out does not have the tag ${tag}`]),
  ]
}

/** For provenance, npm requires `repository` to point to the repository whose workflow publishes the package. */
export const provenanceProblems = (manifests: Manifest[], isCi: boolean): string[] =>
  isCi
    ? manifests
        .filter(({ repository }) => !repository)
        .map(({ name }) => `${name}: package.json has no "repository", which npm needs for the provenance`)
    : []

/** Skips versions that are already in the registry so that an interrupted release can be rerun. */
export function publish(tarballs: Tarball[], isCi: boolean): void {
  for (const { manifest, file } of tarballs) {
    if (isPublished(manifest)) {
      process.stdout.write(`${manifest.name} ${manifest.version} is already published\n`)
      continue
    }
    execFileSync('npm', publishArguments(manifest, file, isCi), { stdio: 'inherit' })
  }
}

export function publishArguments({ version }: Manifest, file: string, isCi: boolean): string[] {
  const tag = version.includes('-') ? 'next' : 'latest'
  return ['publish', file, '--access', 'public', '--tag', tag, ...(isCi ? ['--provenance'] : [])]
}

function isPublished({ name, version }: Manifest): boolean {
  try {
    const found = execFileSync('npm', ['view', `${name}@${version}`, 'version'], { encoding: 'utf8', stdio: 'pipe' })
    return found.trim() === version
  } catch (error) {
    if (error instanceof Error && 'stderr' in error && String(error.stderr).includes('E404')) return false
    throw error
  }
}
