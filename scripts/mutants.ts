import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { mutants, testsOf } from '../test/mutants/list.ts'
import { copyTree } from './mutants/copy-tree.ts'
import { createJudge, type Judgement } from './mutants/judge.ts'
import { createQueue, type Next, tenthOf } from './mutants/queue.ts'
import { openCounterparts } from './test/counterparts.ts'
import { planParts } from './test/parts.ts'
import { stopRunning } from './test/run-file.ts'

// Mutation tests: removes one security rule at a time from a copy of the tree and checks that the rule's tests fail.
// `npm run mutants [-- words of a rule]` takes a few seconds per rule. `--tenth today` selects a different tenth of the
// list each day. `--tenth 3` always selects the same tenth. `--workers 4` checks four rules at a time instead of one per
// core.
const { values, positionals } = parseArgs({
  options: { tenth: { type: 'string' }, workers: { type: 'string', default: String(availableParallelism()) } },
  allowPositionals: true,
})
const tenth = values.tenth === 'today' ? String(Math.floor(Date.now() / 86_400_000) % 10) : values.tenth
if (tenth && !/^[0-9]$/.test(tenth)) throw new Error('--tenth takes "today" or a number from 0 to 9')
if (!/^[1-9]\d?$/.test(values.workers)) throw new Error('--workers takes a number from 1 to 99')
const wanted = (tenth ? tenthOf(mutants, Number(tenth)) : mutants).filter(({ rule }) =>
  positionals.every((word) => rule.includes(word)),
)
const parts = planParts({ only: [], patterns: [...new Set(wanted.flatMap(testsOf))] })
const counterparts = await openCounterparts(new Set(parts.flatMap(({ uses }) => uses)))
const trees = Array.from({ length: Math.min(Number(values.workers), wanted.length) }, copyTree)
process.once('exit', () => {
  stopRunning()
  for (const tree of trees) rmSync(tree, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const judge = createJudge(parts, counterparts)
const queue = createQueue(wanted)
let red = 0
await Promise.all(trees.map((tree) => judgeAll(tree, queue.addWorker())))
await counterparts.close()
process.stdout.write(`${red} of ${wanted.length} rules are noticed when they are removed\n`)
process.exitCode = red === wanted.length && red > 0 ? 0 : 1

async function judgeAll(tree: string, next: Next): Promise<void> {
  for (let mutant = next(); mutant; mutant = next()) {
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
