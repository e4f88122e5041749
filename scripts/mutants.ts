import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { mutants, testsOf } from '../test/mutants/list.ts'
import { copyTree } from './mutants/copy-tree.ts'
import { createJudge, type Judgement } from './mutants/judge.ts'
import { openCounterparts } from './test/counterparts.ts'
import { planParts } from './test/parts.ts'
import { stopRunning } from './test/run-file.ts'

// Mutation tests: removes one security rule at a time from a copy of the tree and checks that the rule's tests fail.
// `npm run mutants [-- words of a rule]` takes a few seconds per rule. `--tenth today` selects a different tenth of the
// list each day. `--tenth 3` always selects the same tenth.
const { values, positionals } = parseArgs({
  options: { tenth: { type: 'string' } },
  allowPositionals: true,
})
const tenth = values.tenth === 'today' ? String(Math.floor(Date.now() / 86_400_000) % 10) : values.tenth
if (tenth && !/^[0-9]$/.test(tenth)) throw new Error('--tenth takes "today" or a number from 0 to 9')
const wanted = mutants
  .filter((_, index) => !tenth || index % 10 === Number(tenth))
  .filter(({ rule }) => positionals.every((word) => rule.includes(word)))
const parts = planParts([], [...new Set(wanted.flatMap(testsOf))])
const counterparts = await openCounterparts(new Set(parts.flatMap(({ uses }) => uses)))
const trees = Array.from({ length: availableParallelism() }, copyTree)
process.once('exit', () => {
  stopRunning()
  for (const tree of trees) rmSync(tree, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const judge = createJudge(parts, counterparts)
// Mutants with the same test files run back to back, after one run of those files without a mutant.
const waiting = wanted.toSorted((one, other) => String(one.test).localeCompare(String(other.test)))
let red = 0
await Promise.all(trees.map(judgeAll))
await counterparts.close()
process.stdout.write(`${red} of ${wanted.length} rules are noticed when they are removed\n`)
process.exitCode = red === wanted.length && red > 0 ? 0 : 1

async function judgeAll(tree: string): Promise<void> {
  for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
    const judgements = await judge(tree, mutant)
    if (judgements.every(({ verdict }) => verdict === 'red')) red++
    for (const judgement of judgements) report(mutant.rule, judgement)
  }
}

function report(rule: string, { test, verdict, reason }: Judgement): void {
  process.stdout.write(
    `${(verdict === 'red' ? verdict : verdict.toUpperCase()).padEnd(9)} ${rule}  (${test}${reason ? `: ${reason}` : ''})\n`,
  )
}
