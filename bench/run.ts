import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findPostgres, noPostgres } from '../test/support/postgres.ts'
import { isPinned } from './process/pinned.ts'
import { measureApplicationChanges } from './profiles/application-changes.ts'
import { measureApplicationStarts } from './profiles/application-starts.ts'
import { measureApplications } from './profiles/applications.ts'
import { measureAutofill } from './profiles/autofill.ts'
import { measureBackups } from './profiles/backup.ts'
import { measureCommits } from './profiles/commits.ts'
import { measureConsole } from './profiles/console.ts'
import { measureCredentials } from './profiles/credentials.ts'
import { measureInside } from './profiles/inside.ts'
import { measureInstalls } from './profiles/install.ts'
import { measureLogin } from './profiles/login.ts'
import { measureOAuth } from './profiles/oauth.ts'
import { measurePages } from './profiles/pages.ts'
import { measurePasskeys } from './profiles/passkeys.ts'
import { measurePosts } from './profiles/posts.ts'
import { measureScale } from './profiles/scale.ts'
import { measureSearch } from './profiles/search.ts'
import { measureEmbeddedStart, measurePostgresStart } from './profiles/start.ts'
import { measureStorm } from './profiles/storm.ts'
import { measureTrees } from './profiles/trees.ts'
import { measureValidate } from './profiles/validate.ts'
import { measureWebhooks } from './profiles/webhooks.ts'
import { measureWorkers } from './profiles/workers.ts'
import {
  commitsRow,
  consoleRow,
  insideRow,
  type PostgresFigures,
  pagesRow,
  postsRow,
  type Results,
  resultsOf,
  searchRow,
  validationRow,
  webhooksRow,
  workersRow,
} from './results.ts'
import { type Stage, setStage } from './stage.ts'
import { table } from './table.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

async function measureOnPostgres(): Promise<PostgresFigures | undefined> {
  if (!findPostgres()) {
    say(`skipped: validation, sign-in and what else needs server PostgreSQL (${noPostgres})`)
    return undefined
  }
  say('Setting up PostgreSQL with 10,000 people and their sessions')
  return onStage(async (stage) => {
    say('Start on PostgreSQL')
    const start = await measurePostgresStart(stage.databaseUrl)
    say('Validation from memory (RATE_LIMIT_BRIDGE raised, otherwise the defaults of production)')
    const memory = await measureValidate(stage, 8, {})
    say('/auth/verify from memory')
    const verify = await measureValidate(stage, 8, {}, 'verify')
    say('Validation from the database')
    const database = await measureValidate(stage, 5, { SESSION_VALIDATION_CACHE_TTL: '0s' })
    say('Sign-in (RATE_LIMIT_LOGIN raised)')
    const login = await measureLogin(stage, 5)
    say('Validation under a storm of wrong sign-ins')
    const storm = await measureStorm(stage)
    say('Validation from memory with all modules installed')
    const withModules = await measureValidate(stage, 8, { MODULES_AUTO_INSTALL: 'all' })
    say('Pages')
    return { start, memory, verify, database, login, storm, withModules, pages: await measurePages(stage) }
  })
}

if (!isPinned) say('taskset or a second core is missing: processes share the cores, and ratios are less steady')
// Prevents the service from using a stale bundle. Without a bundle, it starts more slowly and uses more memory.
execFileSync(process.execPath, [join(import.meta.dirname, '../scripts/prepare.js')], { stdio: 'inherit' })
if (process.argv.includes('install')) {
  say('Installing modules beside a million users, which takes minutes to set up')
  for (const figures of await measureInstalls(['two-factor', 'privacy', 'onboarding'])) say(JSON.stringify(figures))
  process.exit()
}
if (process.argv.includes('backup')) {
  const users = Number(process.env.BACKUP_USERS ?? 1_000)
  for (const figures of await measureBackups(users, say)) say(JSON.stringify(figures))
  process.exit()
}
if (process.argv.includes('autofill')) {
  say('The offer of passkeys in the field of the sign-in page, in a browser with a slow CPU')
  say(JSON.stringify(await onStage(measureAutofill)))
  process.exit()
}
if (process.argv.includes('passkeys')) {
  say('Sign-ins with passkeys, and sign-ins with passwords while others request options for passkeys')
  say(JSON.stringify(await onStage(measurePasskeys), null, 2))
  process.exit()
}
if (process.argv.includes('applications')) {
  for (const count of [1, 1_000, 10_000]) say(JSON.stringify(measureApplications(count)))
  process.exit()
}
if (process.argv.includes('credentials')) {
  say('API keys, and sessions of users with roles, compared with sessions of users without roles')
  for (const figures of await onStage(measureCredentials)) say(JSON.stringify(figures))
  process.exit()
}
if (process.argv.includes('oauth')) {
  say('Tokens for machines, compared with oidc-provider and with sessions')
  await onStage((stage) => measureOAuth(stage, say))
  process.exit()
}
if (process.argv.includes('application-changes')) {
  say('Addresses changed on one node while another validates sessions, until the other one follows')
  for (const figures of await onStage(measureApplicationChanges)) say(JSON.stringify(figures))
  process.exit()
}
if (process.argv.includes('application-starts')) {
  say('Start with 0, 1,000 and 10,000 stored applications')
  await measureApplicationStarts(say)
  process.exit()
}
const otherTree = process.argv[process.argv.indexOf('trees') + 1]
if (process.argv.includes('trees')) {
  if (!otherTree) throw new Error('pass the directory of the other checkout: npm run bench -- trees ../before')
  say(`Validation by this checkout and by ${otherTree}`)
  for (const figures of await onStage((stage) => measureTrees(stage, otherTree))) say(JSON.stringify(figures))
  process.exit()
}
if (process.argv.includes('scale')) {
  say('Ten million users, which take about half an hour to set up')
  await measureScale(Number(process.env.SCALE_USERS ?? 10_000_000), say)
  process.exit()
}
const file = join(import.meta.dirname, 'results.json')
const before = JSON.parse(await readFile(file, 'utf8')) as Results
const results = await measured()
await writeFile(file, `${JSON.stringify(results, null, 2)}\n`)
say(`\n${results.machine.cpu}, ${results.machine.cores} cores, Node ${results.node}\n`)
say(table(results))
say('Written to bench/results.json')

function measured(): Promise<Results> {
  if (process.argv.includes('search')) return onlySearch()
  if (process.argv.includes('posts')) return onlyPosts()
  if (process.argv.includes('inside')) return onlyInside()
  if (process.argv.includes('commits')) return onlyCommits()
  if (process.argv.includes('verify')) return onlyVerify()
  if (process.argv.includes('workers')) return onlyWorkers()
  if (process.argv.includes('webhooks')) return onlyWebhooks()
  if (process.argv.includes('console')) return onlyConsole()
  return process.argv.includes('pages') ? onlyPages() : measureByDefault()
}

async function measureByDefault(): Promise<Results> {
  say('Start on the embedded database')
  const embedded = await measureEmbeddedStart()
  return resultsOf({
    embedded,
    postgres: await measureOnPostgres(),
    search: before.search ?? null,
    posts: before.posts ?? null,
    inside: before.inside ?? null,
    commits: before.commits ?? null,
    workers: before.workers ?? null,
    webhooks: before.webhooks ?? null,
    console: before.console ?? null,
  })
}

async function onStage<Row>(measure: (stage: Stage) => Promise<Row>): Promise<Row> {
  const stage = await setStage()
  try {
    return await measure(stage)
  } finally {
    await stage.close()
  }
}

async function onlyPages(): Promise<Results> {
  return { ...before, pages: await onStage(async (stage) => pagesRow(await measurePages(stage))) }
}

async function onlyInside(): Promise<Results> {
  say('Validation inside a back end, and what it costs the service')
  return { ...before, inside: await onStage(async (stage) => insideRow(await measureInside(stage))) }
}

async function onlyCommits(): Promise<Results> {
  say('Commits on the embedded database, with and without fsync')
  return { ...before, commits: commitsRow(await measureCommits()) }
}

async function onlyConsole(): Promise<Results> {
  say('Pages of the console with a million users and ten million audit events, which take minutes to set up')
  return { ...before, console: consoleRow(await measureConsole(say)) }
}

async function onlyWorkers(): Promise<Results> {
  say('Validation by one process and by two workers, and by two workers under a storm of wrong sign-ins')
  return { ...before, workers: await onStage(async (stage) => workersRow(await measureWorkers(stage))) }
}

async function onlyWebhooks(): Promise<Results> {
  say('Events delivered to one receiver, alone and during sign-ins')
  return { ...before, webhooks: await onStage(async (stage) => webhooksRow(await measureWebhooks(stage))) }
}

async function onlyVerify(): Promise<Results> {
  return {
    ...before,
    verify_memory: await onStage(async (stage) => validationRow(await measureValidate(stage, 8, {}, 'verify'))),
  }
}

async function onlyPosts(): Promise<Results> {
  say('Lists over a million posts, which takes minutes to set up')
  return { ...before, posts: postsRow(await measurePosts()) }
}

async function onlySearch(): Promise<Results> {
  say('Search over a million users, which takes minutes to set up')
  return { ...before, search: searchRow(await measureSearch()) }
}
