import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const root = join(import.meta.dirname, '../..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const posix = { skip: process.platform === 'win32' }

const loader = 'error while loading shared libraries: libatomic.so.1: cannot open shared object file'
const sentence =
  /^The Node\.js in node_modules does not start: libatomic\.so\.1 is missing\. Run .*libatomic.*, or install Node\.js 24/m

/** A checkout whose Node.js says this and ends with 127, as the loader does. */
function checkout(said: string): string {
  const directory = temporaryDirectory('broken-node')
  cpSync(join(root, 'bin'), join(directory, 'bin'), { recursive: true })
  cpSync(join(root, 'package.json'), join(directory, 'package.json'))
  mkdirSync(join(directory, 'node_modules/node/bin'), { recursive: true })
  mkdirSync(join(directory, 'node_modules/.bin'))
  const node = join(directory, 'node_modules/node/bin/node')
  writeFileSync(node, `#!/bin/sh\necho "$0: ${said}" >&2\nexit 127\n`)
  chmodSync(node, 0o755)
  symlinkSync('../node/bin/node', join(directory, 'node_modules/.bin/node'))
  return directory
}

for (const name of ['start', 'test', 'wardenry', 'prepare']) {
  test(`npm run ${name} names the library that its Node.js lacks, and what to install`, posix, () => {
    const directory = checkout(loader)
    // As npm runs a script: its own Node.js is the one of the machine, the one of the checkout comes first in PATH.
    const env = {
      PATH: [join(directory, 'node_modules/.bin'), process.env.PATH].join(delimiter),
      npm_node_execpath: process.execPath,
    }
    const { status, stderr, stdout } = spawnSync('sh', ['-c', scripts[name]], { cwd: directory, env, encoding: 'utf8' })
    assert.notEqual(status, 0)
    assert.equal(stdout, '')
    assert.match(stderr, sentence)
  })
}

/** What the machine's Node.js of an earlier version does with the program of a checkout. */
function runWithOldNode(directory: string) {
  const versions = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })"
  const old = ['--import', `data:text/javascript,${encodeURIComponent(versions)}`]
  return spawnSync(process.execPath, [...old, 'bin/wardenry.js', '--version'], { cwd: directory, encoding: 'utf8' })
}

test('the program says it too when the Node.js of the machine is too old', posix, () => {
  const { status, stderr, stdout } = runWithOldNode(checkout(loader))
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, sentence)
  assert.equal(stderr.trim().split('\n').length, 1)
})

test('another failure of that Node.js is shown in its own words, with the way on', posix, () => {
  const { stderr } = runWithOldNode(checkout("version 'GLIBC_2.28' not found"))
  assert.match(stderr, /does not start: .*GLIBC_2\.28' not found\. Install Node\.js 24 or later/)
})
