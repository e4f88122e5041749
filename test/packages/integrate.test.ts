import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const guide = readFileSync('docs/integrate.md', 'utf8')
const shown = [...guide.matchAll(/<!-- (examples\/\S+) -->\n```\w+\n(.*?)```/gs)]

test('the code of docs/integrate.md is that of the examples, which a browser drives', () => {
  assert.ok(shown.length >= 8)
  for (const [, file = '', code] of shown) assert.equal(code, readFileSync(file, 'utf8'), file)
})

test('every whole file that docs/integrate.md shows is one of the examples', () => {
  const files = guide.match(/^`[\w/.]+\.js`:$/gm) ?? []
  assert.equal(files.length, shown.length)
})

test('the main file of every example has at most 60 lines', () => {
  const mains = globSync('examples/*/{main.js,main.py,main.go,index.php,index.html,serve.js}')
  const parts = globSync('examples/nextjs/{proxy.js,lib/*.js,app/**/*.js}')
  assert.ok(mains.length >= 6 && parts.length >= 5)
  const long = [...mains, ...parts].filter((file) => readFileSync(file, 'utf8').split('\n').length > 61)
  assert.deepEqual(long, [])
  const lines = parts.reduce((sum, file) => sum + readFileSync(file, 'utf8').trimEnd().split('\n').length, 0)
  assert.ok(lines <= 60, `the example for Next.js has ${lines} lines`)
})

test('the option and function tables of the package name what it has', () => {
  const readme = readFileSync('packages/server/README.md', 'utf8')
  const source = readFileSync('packages/server/src/options.ts', 'utf8')
  const options = /export interface WardenryOptions \{(.*?)\n\}/s.exec(source)![1]!
  const names = [...options.matchAll(/^ {2}(\w+)\??:/gm)].map(([, name]) => name!).filter((name) => name !== 'source')
  assert.deepEqual(
    names.filter((name) => !readme.includes(`| \`${name}\` |`)),
    [],
  )
})

test('the tables of the package name every error with its status, and every function', () => {
  const readme = readFileSync('packages/server/README.md', 'utf8')
  const errors = readFileSync('packages/server/src/errors.ts', 'utf8')
  const codes = [...errors.matchAll(/^ {2}([A-Z_]+): \[(\d+),/gm)]
  assert.ok(codes.length >= 10)
  for (const [, code, status] of codes) assert.match(readme, new RegExp(`^\\| \`${code}\` \\| ${status}\\b`, 'm'))
  const source = readFileSync('packages/server/src/create-wardenry.ts', 'utf8')
  const members = /export interface Wardenry \{(.*?)\n\}/s.exec(source)![1]!
  const functions = [...members.matchAll(/^ {2}(\w+)\(/gm)].map(([, name]) => name!)
  assert.ok(functions.length >= 9)
  assert.deepEqual(
    functions.filter((name) => !readme.includes(`| \`${name}(`)),
    [],
  )
})
