import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findLongSubjects } from '../../scripts/commit-subjects.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
const git = (root: string, ...args: string[]) =>
  execFileSync('git', [...identity, ...args], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
const commit = (root: string, subject: string) => git(root, 'commit', '-q', '--allow-empty', '-m', subject)
const subjectsOf = (found: ReturnType<typeof findLongSubjects>) =>
  'long' in found ? found.long.map((line) => line.slice(line.indexOf(' ') + 1)) : found.skipped

const short = 'a'.repeat(72)
const long = 'b'.repeat(73)

function newRepository(): string {
  const root = temporaryDirectory('subjects')
  git(root, 'init', '-q')
  commit(root, long)
  return root
}

function addCheck(root: string): void {
  mkdirSync(join(root, 'scripts'))
  writeFileSync(join(root, 'scripts/commit-subjects.ts'), '')
  git(root, 'add', '.')
  commit(root, 'Check the length of commit subjects')
}

test('finds subjects over 72 characters since the check was added, and then since the last release', () => {
  const root = newRepository()
  addCheck(root)
  assert.deepEqual(subjectsOf(findLongSubjects(root)), [])
  commit(root, short)
  commit(root, long)
  assert.deepEqual(subjectsOf(findLongSubjects(root)), [long])
  git(root, 'tag', 'v1.0.0')
  assert.deepEqual(subjectsOf(findLongSubjects(root)), [])
  commit(root, `c${long}`)
  assert.deepEqual(subjectsOf(findLongSubjects(root)), [`c${long}`])
})

test('is skipped in a shallow clone, without Git, and before the check is committed', () => {
  const root = newRepository()
  assert.equal(subjectsOf(findLongSubjects(root)), 'no commit contains the check yet')
  addCheck(root)
  const clone = join(temporaryDirectory('shallow'), 'clone')
  git(root, 'clone', '-q', '--depth', '1', `file://${root}`, clone)
  assert.equal(subjectsOf(findLongSubjects(clone)), 'the clone is shallow, so the last release is unknown')
  assert.equal(subjectsOf(findLongSubjects(temporaryDirectory('source'))), 'not a Git checkout')
})
