import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Mutant, mutants } from '../test/mutants/list.ts'

// Shows that the tests of security rules can fail: removes one rule at a time in a copy of the tree and runs the tests
// that must notice. `npm run mutants [words of a rule]`. Takes a few seconds a mutant, so it is not part of `npm test`.
const root = join(import.meta.dirname, '..')
const copy = mkdtempSync(join(tmpdir(), 'wardenry-mutants-'))
const wanted = mutants.filter(({ rule }) => process.argv.slice(2).every((word) => rule.includes(word)))

for (const file of execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
}).split('\n')) {
  if (!/^(src|test|packages|examples|package\.json)/.test(file)) continue
  mkdirSync(dirname(join(copy, file)), { recursive: true })
  cpSync(join(root, file), join(copy, file))
}
for (const folder of ['node_modules', 'build']) symlinkSync(join(root, folder), join(copy, folder))

let survivors = 0
for (const mutant of wanted) {
  const verdict = kill(mutant)
  if (verdict !== 'red') survivors++
  process.stdout.write(`${verdict === 'red' ? 'red     ' : `${verdict} `} ${mutant.rule}  (${mutant.test})\n`)
}
rmSync(copy, { recursive: true })
process.stdout.write(`${wanted.length - survivors} of ${wanted.length} rules are noticed when they are removed\n`)
process.exitCode = survivors === 0 ? 0 : 1

function kill({ file, from, to, test }: Mutant): 'red' | 'SURVIVED' | 'STALE' {
  const path = join(copy, file)
  const original = readFileSync(path, 'utf8')
  if (original.split(from).length !== 2) return 'STALE'
  writeFileSync(
    path,
    original.replace(from, () => to),
  )
  const result = spawnSync(process.execPath, ['--test', test], { cwd: copy, timeout: 120_000, encoding: 'utf8' })
  writeFileSync(path, original)
  return result.status === 0 ? 'SURVIVED' : 'red'
}
