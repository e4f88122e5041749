import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compareWithExplained, type Explained, type UnreachedIn } from './coverage/explained-lines.ts'
import { readProfiles } from './coverage/read-profiles.ts'
import { unreachedLines } from './coverage/unreached-lines.ts'

// Prints the lines of the code that decides who is signed in that no test reaches. Fails if such a line is not listed
// with a reason, or if a listed line is reached.
const root = join(import.meta.dirname, '..')
const sources = 'src/{http/access,sessions,passwords,one-time-tokens}/**/*.ts'
/** The folders whose tests reach these lines. All tests would take several times as long. */
const tests = `http sessions passwords one-time-tokens permissions passwordless two-factor handover auth admin
  email-addresses profile social import hooks jobs hub screens`.split(/\s+/)

const explained = JSON.parse(readFileSync(join(root, 'test/unreached-lines.json'), 'utf8')) as Explained[]
const folder = mkdtempSync(join(tmpdir(), 'coverage-'))
try {
  const code = runTests()
  const found = unreached()
  console.log('\nlines that no test reaches:')
  for (const { file, lines } of found) for (const { number, text } of lines) console.log(`  ${file}:${number} ${text}`)
  const problems = compareWithExplained(found, explained)
  for (const problem of problems) console.error(`failed: ${problem}`)
  process.exitCode = code || (problems.length > 0 ? 1 : 0)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function runTests(): number {
  const patterns = tests.map((name) => `test/${name}/`)
  const { status } = spawnSync(
    process.execPath,
    ['scripts/test.ts', '--only', 'embedded', '--limit', '600', ...patterns],
    {
      cwd: root,
      // Functions from the compile cache have no counts.
      env: { ...process.env, NODE_V8_COVERAGE: folder, NODE_DISABLE_COMPILE_CACHE: '1' },
      stdio: 'inherit',
    },
  )
  return status ?? 1
}

function unreached(): UnreachedIn[] {
  const urlOf = (file: string) => pathToFileURL(join(root, file)).href
  const files = globSync(sources, { cwd: root }).sort()
  const profiles = readProfiles(folder, new Set(files.map(urlOf)))
  return files.map((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return { file, lines: unreachedLines(file, text, profiles.get(urlOf(file)) ?? []) }
  })
}
