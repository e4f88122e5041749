import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const root = join(import.meta.dirname, '../..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const posix = { skip: process.platform === 'win32' }

const loader = 'error while loading shared libraries: libatomic.so.1: cannot open shared object file'
const sentence =
  /^The Node\.js in node_modules does not start: libatomic\.so\.1 is missing\. Run .*libatomic.*, or install Node\.js 24/m

/**
 * A checkout with a Node.js executable that prints this text and exits with 127, as the dynamic loader does when a
 * library is missing.
 */
function checkout(said: string): string {
  const directory = temporaryDirectory('broken-node')
  cpSync(join(root, 'bin'), join(directory, 'bin'), { recursive: true })
  cpSync(join(root, 'package.json'), join(directory, 'package.json'))
  mkdirSync(join(directory, 'src/cli'), { recursive: true })
  writeFileSync(join(directory, 'src/cli/main.ts'), '')
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
    // The environment of an npm script: npm itself runs on the machine's Node.js, and the checkout's Node.js is first
    // in PATH.
    const env = {
      PATH: [join(directory, 'node_modules/.bin'), process.env.PATH].join(delimiter),
      npm_node_execpath: process.execPath,
    }
    const { status, stderr, stdout } = spawnSync('sh', ['-c', scripts[name]], { cwd: directory, env, encoding: 'utf8' })
    assert.equal(status, 78)
    assert.equal(stdout, '')
    assert.match(stderr, sentence)
  })
}

/** Runs the program with an older version of Node.js. */
function runWithOldNode(directory: string, version = '20.0.0') {
  const versions = `Object.defineProperties(process, {
    versions: { value: { ...process.versions, node: '${version}' } },
    version: { value: 'v${version}' },
  })`
  const old = ['--import', `data:text/javascript,${encodeURIComponent(versions)}`]
  return spawnSync(process.execPath, [...old, 'bin/wardenry.js', '--version'], { cwd: directory, encoding: 'utf8' })
}

test('the program says it too when the Node.js of the machine is too old', posix, () => {
  const { status, stderr, stdout } = runWithOldNode(checkout(loader))
  assert.deepEqual([status, stdout], [78, ''])
  assert.match(stderr, sentence)
  assert.equal(stderr.trim().split('\n').length, 1)
})

test('another failure of that Node.js is shown unchanged, with the next step', posix, () => {
  const { stderr } = runWithOldNode(checkout("version 'GLIBC_2.28' not found"))
  assert.match(stderr, /does not start: .*GLIBC_2\.28' not found\. Install Node\.js 24 or later/)
})

for (const version of ['0.12.18', '20.19.0', '22.14.0']) {
  test(`the published program refuses Node.js ${version} in one sentence`, () => {
    const directory = temporaryDirectory('old-node')
    cpSync(join(root, 'bin'), join(directory, 'bin'), { recursive: true })
    const { status, stderr, stdout } = runWithOldNode(directory, version)
    assert.deepEqual([status, stdout], [78, ''])
    assert.equal(stderr, `Wardenry needs Node.js 22.15 or later, and this is v${version}: install a newer one.\n`)
  })
}

test('a checkout without its own Node.js says in one sentence how to get one', () => {
  const directory = checkout(loader)
  rmSync(join(directory, 'node_modules'), { recursive: true })
  const { status, stderr } = runWithOldNode(directory)
  assert.equal(status, 78)
  assert.match(stderr, /^Wardenry needs Node\.js 24 or later, and this is v20\.0\.0: run "npm ci", .* newer one\.\n$/)
})

test('the program has no syntax that an old Node.js cannot parse', () => {
  const source = readFileSync(join(root, 'bin/wardenry.js'), 'utf8').replace(/^\s*\/\/.*$/gm, '')
  assert.doesNotMatch(source, /=>|`|\?\?|\?\.|\.\.\.|\b(const|let|class|import|export|await|async|of)\b|,\s*\)|'node:/)
})
