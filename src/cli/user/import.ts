import { stat } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import type { Context } from '../../context.ts'
import type { ImportRun, ImportWatch } from '../../import/import-users.ts'
import type { ImportSummary } from '../../import/summary.ts'
import { command } from '../command.ts'
import { explain } from '../fail.ts'
import { valuesOfOption } from '../repeated-option.ts'
import { fullReport, openReportFile, outageLine, progressLine } from './import-report.ts'
import { withUsers } from './with-users.ts'

export const userImport = command({
  meta: {
    name: 'wardenry user import',
    description: 'Show what a user import would do. With --run, import the users. Sends no email unless requested.',
  },
  args: {
    file: { type: 'positional', description: 'file to import', required: true },
    from: { type: 'string', description: 'format of the file, such as wardenry', required: true },
    run: { type: 'boolean', description: 'import the users; without it, nothing is changed' },
    'skip-invalid': { type: 'boolean', description: 'import the other users if some lines have problems' },
    roles: {
      type: 'string',
      description: 'roles to keep and their names here, such as editor=writer,member=customer; * is any other role',
    },
    'allow-superadmins': { type: 'boolean', description: 'import superadmins too' },
    'allow-sensitive-roles': {
      type: 'boolean',
      description: 'import users with application roles that have a sensitive permission too',
    },
    'password-hook': {
      type: 'boolean',
      description: 'let PASSWORD_HOOK_URL check the passwords of users without a hash, at their first sign-in',
    },
    invite: {
      type: 'boolean',
      description:
        'email a link to set a password (or to sign in, without passwords) to users without a usable password',
    },
    option: { type: 'string', description: 'value that the format needs, as name=value; can be repeated' },
    report: { type: 'string', description: 'new file for all problems and lost values, as JSON Lines' },
  },
  run: async (args, words) => {
    const { retryOutages } = await import('../../import/retry-outages.ts')
    const work = async (ctx: Context) => {
      const run = await readArgs(args, words)
      if (run.passwordHook && !ctx.config.PASSWORD_HOOK_URL)
        throw new Error('--password-hook requires PASSWORD_HOOK_URL and PASSWORD_HOOK_SECRET.')
      const report = await openReportFile(args.report)
      limitHeap()
      try {
        await planOrRun(ctx, run, {
          writes: args.run === true,
          skips: args['skip-invalid'] === true,
          problem: report.problem,
          lost: report.lost,
        })
      } finally {
        await report.close()
      }
    }
    await withUsers(work, { retry: retryOutages(outageLine, waitsBeforeOpening) })
  },
})

/** In milliseconds. Short, because the reason is often a wrong setting. */
const waitsBeforeOpening = [500, 1_000, 2_000]

/**
 * Reading rows makes much garbage, which V8 collects late: with its defaults, an import needs 100 MB more and takes 3 %
 * less CPU time. The first flag stops the space for new objects from growing. The second starts a full collection when
 * the heap has doubled since the last one.
 */
function limitHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=100')
}

interface Task {
  problem: ImportWatch['problem']
  lost: ImportWatch['lost']
  writes: boolean
  /** Whether rows without problems are imported even if other rows have problems. */
  skips: boolean
}

async function planOrRun(ctx: Context, run: ImportRun, { writes, skips, problem, lost }: Task): Promise<void> {
  await assertReadable(run.path, writes && !skips)
  const { databaseFault } = await import('../../db/errors.ts')
  const { planImport, runImport } = await import('../../import/import-users.ts')
  const watch = (verb: string): ImportWatch => ({
    progress: progressLine(verb),
    outage: outageLine,
    ...(problem && { problem }),
    // The check before an import would report each part a second time.
    ...(lost && (skips || !writes || verb === 'Imported') && { lost }),
  })
  // Unless problems are skipped, nothing may be written until every row has been checked.
  if (!writes || !skips) {
    const plan = await planImport(ctx, run, watch('Checked')).catch((error: unknown) => {
      throw databaseFault(error) ? new Error(`${explain(error)}\n${nothingChanged}`) : error
    })
    if (!writes || plan.problems > 0) {
      const work = writes ? undefined : await describeWork(ctx, plan.weakHashes)
      process.stdout.write(fullReport(plan, { isPlan: true, suggestsRun: !writes, ...work }))
      if (isNobody(plan)) process.exitCode = 1
      if (!writes) return
      throw new Error('Nothing was imported. Correct the lines, or import the other users with --skip-invalid.')
    }
  }
  const done = await runImport(ctx, run, watch('Imported')).catch((error: unknown) => {
    throw new Error(`${explain(error)}\n${howToGoOn}`)
  })
  process.stdout.write(fullReport(done, { isPlan: false }))
  if (isNobody(done) || (done.problems > 0 && !skips)) process.exitCode = 1
}

const nothingChanged = 'Nothing was changed. Run the same command again.'
const howToGoOn =
  'The users imported so far are kept. To import the others, run the same command again: it skips users already imported.'

const isNobody = ({ users, present }: ImportSummary): boolean => users + present === 0

async function assertReadable(path: string, isReadTwice: boolean): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new Error(`${path} does not exist or cannot be read`)
  if (found.isDirectory()) throw new Error(`${path} is a directory`)
  if (isReadTwice && !found.isFile())
    throw new Error(
      `${path} can be read only once, but --run reads it twice. Save it to a file, or pass --skip-invalid.`,
    )
}

interface Args {
  file: string
  from: string
  roles: string | undefined
  'allow-superadmins'?: boolean | undefined
  'allow-sensitive-roles'?: boolean | undefined
  'password-hook'?: boolean | undefined
  invite: boolean | undefined
}

async function readArgs(args: Args, words: readonly string[]): Promise<ImportRun> {
  const { sources } = await import('../../import/sources/index.ts')
  const source = sources.find(({ name }) => name === args.from)
  if (!source) throw new Error(`--from must be one of ${sources.map(({ name }) => name).join(', ')}`)
  const options = new Map(valuesOfOption(words, 'option').map((pair) => readPair('--option', pair)))
  const known = Object.keys(source.options ?? {}).filter((name) => name !== rolesOption)
  const unknown = [...options.keys()].find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new Error(
      `--option: ${source.name} has no option "${unknown}"${known.length > 0 ? `, only ${known.join(', ')}` : ''}`,
    )
  const readsRoles = source.options?.[rolesOption] !== undefined
  const roles = args.roles === undefined ? [] : args.roles.split(',').map((pair) => readPair('--roles', pair))
  return {
    path: args.file,
    source,
    options: { ...Object.fromEntries(options), ...(readsRoles && args.roles && { [rolesOption]: args.roles }) },
    roles: new Map(readsRoles ? [] : roles),
    allowSuperadmins: args['allow-superadmins'] === true,
    allowSensitiveRoles: args['allow-sensitive-roles'] === true,
    passwordHook: args['password-hook'] === true,
    invite: args.invite === true,
  }
}

/** A format that has this option maps roles itself. `--roles` is then passed to the format. */
const rolesOption = 'roles'

function readPair(option: string, pair: string): [name: string, value: string] {
  const at = pair.indexOf('=')
  if (at < 1)
    throw new Error(`${option} must have the form ${option === '--roles' ? 'name=role,name=role' : 'name=value'}`)
  return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
}

/** Each weak hash is hashed again in our own format. Estimates the time for this by measuring one hash. */
async function describeWork(ctx: Context, weakHashes: number): Promise<{ hashSeconds: number }> {
  if (weakHashes === 0) return { hashSeconds: 0 }
  await ctx.passwords.hash('warm-up')
  const begin = performance.now()
  await ctx.passwords.hash('measured')
  return { hashSeconds: ((performance.now() - begin) / 1000) * (weakHashes / ctx.config.HASH_CONCURRENCY) }
}
