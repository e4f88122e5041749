import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { temporaryDirectory } from './temporary-directory.ts'

const root = resolve(import.meta.dirname, '../..')
// Without this option, Git rejects a checkout owned by another user.
const trusting = ['-c', `safe.directory=${root}`]

export const git = (...args: string[]): string =>
  execFileSync('git', [...trusting, ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()

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
