import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase } from '../../test/support/postgres.ts'
import { openScratch } from '../../test/support/scratch.ts'
import {
  introspectionForm,
  issuedTokens,
  jwtApi,
  type OAuthPopulation,
  opaqueApi,
  scope,
  seedClients,
  tokenForm,
} from '../oauth.ts'
import { cores, type PinnedProcess, startPinned } from '../process/pinned.ts'
import { residentMemory } from '../process/read-proc.ts'
import { seed } from '../seed.ts'
import { type Service, startService } from '../service.ts'
import { requestSets, type Stage } from '../stage.ts'
import type { OidcProviderOptions } from '../yardsticks/oidc-provider.ts'
import { measureRevocation } from './oauth-revocation.ts'
import { verifyAcrossRotation } from './oauth-rotation.ts'
import { ratioOf, sideOf } from './trees.ts'

const [clientCount, tokenCount] = [1_000, 10_000]
const modules = { MODULES_AUTO_INSTALL: 'oauth' }
const settings = {
  ...modules,
  RATE_LIMIT_OAUTH_TOKEN: '10000000/1s',
  RATE_LIMIT_OAUTH_INTROSPECT: '10000000/1s',
  RATE_LIMIT_ADMIN: '1000000/1s',
}
const formType = 'application/x-www-form-urlencoded'

type Say = (line: string) => void
type Listening = PinnedProcess & { port: number }

/** The authorization server for machines, compared with oidc-provider and with validations of sessions. */
export async function measureOAuth(stage: Stage, say: Say): Promise<void> {
  // The first start installs the module.
  await (await stage.startService(modules)).stop()
  const population = await seedClients(stage.databaseUrl, clientCount)
  const service = await stage.startService(settings)
  try {
    await compareWithOidcProvider(stage, service, population, say)
    await compareWithSessions(stage, service, population, say)
    say(JSON.stringify(await verifyAcrossRotation(stage, service, population)))
    say(JSON.stringify(await measureRevocation(stage, service, population, settings)))
  } finally {
    await service.stop()
  }
  await compareWithout(stage, say)
}

async function compareWithOidcProvider(
  stage: Stage,
  service: Service,
  population: OAuthPopulation,
  say: Say,
): Promise<void> {
  const databaseUrl = await createDatabase(stage.databaseUrl, 'oidc_provider')
  const inMemory = await startOidcProvider(population)
  const onPostgres = await startOidcProvider(population, databaseUrl)
  try {
    const sets: Record<string, { path: string; bodies: string[] }> = {}
    for (const [name, api] of Object.entries({ jwt: jwtApi, opaque: opaqueApi })) {
      const bodies = population.clients.map((client) => tokenForm(client, api))
      sets[`our ${name}`] = { path: '/oauth/token', bodies }
      sets[`their ${name}`] = { path: '/token', bodies }
    }
    const introspections = async (port: number, path: string) => {
      const url = `http://127.0.0.1:${port}${path}`
      const tokens = await issuedTokens(url, population.clients, opaqueApi, tokenCount)
      return tokens.map((token) => introspectionForm(population.server, token))
    }
    sets['our introspection'] = {
      path: '/oauth/introspect',
      bodies: await introspections(service.port, '/oauth/token'),
    }
    sets['their introspection'] = {
      path: '/token/introspection',
      bodies: await introspections(inMemory.port, '/token'),
    }
    for (const [name, set] of Object.entries(sets))
      await stage.load.ask('prepare', { name, headers: {}, type: formType, ...set })
    const pairs: [figure: string, ours: string, theirs: string, other: Listening][] = [
      ['JWT / JWT in memory', 'our jwt', 'their jwt', inMemory],
      ['opaque on PostgreSQL / opaque in memory', 'our opaque', 'their opaque', inMemory],
      ['opaque on PostgreSQL / opaque on PostgreSQL', 'our opaque', 'their opaque', onPostgres],
      ['introspection from memory / introspection in memory', 'our introspection', 'their introspection', inMemory],
    ]
    for (const [figure, ours, theirs, other] of pairs) {
      const sides = [sideOf(stage, service, ours), sideOf(stage, other, theirs)] as const
      for (const { work } of sides) await work(3_000)
      say(JSON.stringify({ figure: `${figure} of oidc-provider`, ...(await ratioOf(...sides)) }))
    }
  } finally {
    await inMemory.stop()
    await onPostgres.stop()
  }
}

async function startOidcProvider(population: OAuthPopulation, databaseUrl?: string): Promise<Listening> {
  const file = join(import.meta.dirname, '../yardsticks/oidc-provider.ts')
  const started = startPinned(file, cores.measured, { NODE_ENV: 'production' })
  const options: OidcProviderOptions = { ...population, scope, opaqueApi, ...(databaseUrl && { databaseUrl }) }
  return { ...started, port: await started.ask<number>('listen', options) }
}

/** Tokens at the bridge, served from memory like the sessions. */
async function compareWithSessions(
  stage: Stage,
  service: Service,
  population: OAuthPopulation,
  say: Say,
): Promise<void> {
  const { path, headers } = stage.requests.validate
  const url = `http://127.0.0.1:${service.port}/oauth/token`
  for (const [name, resource] of Object.entries({ JWT: jwtApi, opaque: opaqueApi })) {
    const tokens = await issuedTokens(url, population.clients, resource, tokenCount)
    const bodies = tokens.map((credential) => JSON.stringify({ credential, resource }))
    await stage.load.ask('prepare', { name: `tokens ${name}`, path, headers, bodies })
    const sides = [sideOf(stage, service, `tokens ${name}`), sideOf(stage, service, 'validate')] as const
    for (const { work } of sides) await work(3_000)
    say(JSON.stringify({ figure: `${name} token at the bridge / session`, ...(await ratioOf(...sides)) }))
  }
}

/** Session validation and memory with and without the module, each with its own database. */
async function compareWithout(stage: Stage, say: Say): Promise<void> {
  const scratch = await openScratch('bench-oauth')
  const services: Service[] = []
  try {
    for (const [name, given] of Object.entries({ with: modules, without: { MODULES_AUTO_INSTALL: 'api-keys' } })) {
      const url = await createDatabase(stage.databaseUrl, `${name}_oauth`)
      await (await startService(url, scratch.directory, given)).stop()
      const population = await seed(url, 10_000, stage.stored.hash)
      await stage.load.ask('prepare', { ...requestSets(population).validate, name })
      services.push(await startService(url, scratch.directory, given))
    }
    const [withModule, without] = services as [Service, Service]
    await sleep(5_000)
    const memory = await Promise.all(services.map(({ pid }) => residentMemory(pid)))
    const sides = [sideOf(stage, withModule, 'with'), sideOf(stage, without, 'without')] as const
    for (const { work } of sides) await work(2_500)
    say(
      JSON.stringify({
        figure: 'validation of sessions with the module / without',
        ...(await ratioOf(...sides)),
        idleMegabytes: memory.map((one) => one && Math.round(one.now * 10) / 10),
      }),
    )
  } finally {
    for (const service of services) await service.stop()
    await scratch.close()
  }
}
