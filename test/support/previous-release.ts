import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { temporaryDirectory } from './temporary-directory.ts'

const root = resolve(import.meta.dirname, '../..')
// Without this option, Git rejects a checkout owned by another user.
const trusting = ['-c', `safe.directory=${root}`]
const git = (...args: string[]): string =>
  execFileSync('git', [...trusting, ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()

/**
 * The revision whose service must work alongside this revision on one database: PREVIOUS_RELEASE, or the last tag
 * before this revision. If there is no tag, it is the last revision with an older schema. Undefined if the Git history
 * is not available.
 */
export function previousRevision(): string | undefined {
  if (process.env.PREVIOUS_RELEASE) return git('rev-parse', process.env.PREVIOUS_RELEASE)
  try {
    return git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^')
  } catch {}
  try {
    const changes = git('log', '--format=%H', '--', 'src/**/migrations/*.sql').split('\n')
    const change = changes.find((one) => hasOlderSchema(`${one}^`))
    return change && git('rev-parse', `${change}^`)
  } catch {
    return undefined
  }
}

/** Whether this revision contains all of the other revision's migrations, and additional ones. */
function hasOlderSchema(revision: string): boolean {
  const migrations = (of: string) => git('ls-tree', '-r', '--name-only', of, 'src/db/migrations').split('\n')
  const own = new Set(migrations('HEAD'))
  const earlier = migrations(revision)
  return earlier.length < own.size && earlier.every((file) => own.has(file))
}

export const noPreviousRelease = 'the previous release is not in the history; clone it in full or set PREVIOUS_RELEASE'

export function hasFile(revision: string, path: string): boolean {
  try {
    git('cat-file', '-e', `${revision}:${path}`)
    return true
  } catch {
    return false
  }
}

const trees = new Map<string, string>()

/** Checks out a revision and installs its dependencies so that its service can be started. */
export function checkOut(revision: string): string {
  const tree = trees.get(revision) ?? newTree(revision)
  trees.set(revision, tree)
  return tree
}

/** Call this after the tests. The dependencies can be tens of thousands of files, which take long to remove on exit. */
export async function removeTrees(): Promise<void> {
  const removed = [...trees.values()]
  trees.clear()
  await Promise.all(removed.map((tree) => rm(tree, { recursive: true, force: true })))
}

function newTree(revision: string): string {
  const tree = temporaryDirectory('release')
  execFileSync('sh', ['-c', 'git "$@" | tar -x -C "$0"', tree, ...trusting, 'archive', revision], { cwd: root })
  const locked = (place: string) => readFileSync(join(place, 'package-lock.json'), 'utf8')
  if (locked(tree) === locked(root) && existsSync(join(root, 'node_modules')))
    symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: tree, stdio: 'pipe' })
  return tree
}

/** Omits rate limits because the previous release may not know all of them and rejects unknown settings. */
export const forBothReleases = (settings: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => !name.startsWith('RATE_LIMIT_')))
