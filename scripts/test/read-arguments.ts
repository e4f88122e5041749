import { parseArgs } from 'node:util'
import { type Fifth, fifthOf, readFifth } from './doubled.ts'
import { isPartName, type PartName, partNames } from './parts.ts'
import { readShard, type Shard } from './shard.ts'

const usage = `usage: node scripts/test.ts [option]… [file, part of a name, or glob]…
  --all                run all files, not only the quick ones
  --only <part>        run only this part: ${partNames.join(', ')}
  --checks             also run the linter, the type checks and the deployment test
  --fifth <0…4|all>    with --all: the doubled files that also run on the embedded database; default: from the date
  --each-alone         also run each file alone, and compare the results
  --shard <n>/<count>  run only this share of the files, for example on one of three machines
  --seed <text>        repeat the order of a run
  --limit <seconds>    the time limit per file; default: 300
  --record             record how long the files took
  --report <file>      write the result of every test to this file`

export interface Arguments {
  all: boolean
  checks: boolean
  record: boolean
  eachAlone: boolean
  shard: Shard
  only: PartName[]
  patterns: string[]
  fifth: Fifth
  seed: string
  /** Milliseconds. */
  limit: number
  report: string | undefined
}

export function readArguments(): Arguments {
  const { values, positionals } = parse()
  const only = values.only.filter(isPartName)
  const limit = Number(values.limit) * 1000
  const shard = readShard(values.shard)
  const fifth = values.all ? readFifth(values.fifth ?? String(fifthOf(new Date()))) : 'all'
  if (only.length < values.only.length || !(limit > 0) || fifth === undefined || !shard) fail(usage)
  if (values.fifth !== undefined && !values.all) fail('--fifth applies only to --all; other runs include all files')
  if (values.record && (positionals.length > 0 || !(values.all || only.length > 0)))
    fail('--record records whole parts: use it with --all or --only, and without files')
  return {
    ...values,
    only,
    patterns: positionals,
    limit,
    fifth,
    report: values.report,
    eachAlone: values['each-alone'],
    shard,
  }
}

function parse() {
  try {
    return parseArgs({
      options: {
        all: { type: 'boolean', default: false },
        checks: { type: 'boolean', default: false },
        record: { type: 'boolean', default: false },
        'each-alone': { type: 'boolean', default: false },
        only: { type: 'string', multiple: true, default: [] },
        limit: { type: 'string', default: '300' },
        fifth: { type: 'string' },
        seed: { type: 'string', default: Math.random().toString(36).slice(2, 8) },
        shard: { type: 'string', default: '1/1' },
        report: { type: 'string' },
      },
      allowPositionals: true,
    })
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : error}\n${usage}`)
  }
}

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}
