import { fileURLToPath } from 'node:url'
import { findChromium, noChromium } from '../../test/support/browser.ts'
import {
  findAuthlib,
  findFastapi,
  findGo,
  findGoOidc,
  findPhp,
  noAuthlib,
  noFastapi,
  noGo,
  noGoOidc,
  noPhp,
} from '../../test/support/languages.ts'
import { findPgbouncer, noPgbouncer } from '../../test/support/pgbouncer.ts'
import { findPostgres, noPostgres } from '../../test/support/postgres.ts'
import { findPromtool, noPromtool } from '../../test/support/promtool.ts'
import {
  findApache,
  findCaddy,
  findHaproxy,
  findModAuthOpenidc,
  findModOauth2,
  findNginx,
  noApache,
  noCaddy,
  noHaproxy,
  noModAuthOpenidc,
  noModOauth2,
  noNginx,
} from '../../test/support/proxies.ts'
import { findRedis, noRedis, startRedis } from '../../test/support/redis.ts'
import type { Part } from './parts.ts'
import { startWithTemplate, templateName } from './template.ts'

export type Need =
  | 'postgres'
  | 'redis'
  | 'nginx'
  | 'haproxy'
  | 'caddy'
  | 'apache'
  | 'pgbouncer'
  | 'chromium'
  | 'go'
  | 'php'
  | 'fastapi'
  | 'prometheus'
  | 'authlib'
  | 'go-oidc'
  | 'mod-auth-openidc'
  | 'mod-oauth2'

/** The servers and programs that the tests use. A server is either provided by the caller or started for this run. */
export interface Counterparts {
  /** The servers and programs that were not found, each with a reason to print. */
  missing: Map<Need, string>
  /** The missing servers and programs that TEST_REQUIRE lists. */
  unmet: Need[]
  envFor(part: Part): NodeJS.ProcessEnv
  close(): Promise<void>
}

interface Kind {
  find: () => string | undefined
  reason: string
  /** For servers: how to start the server, and the environment variable that passes its URL to the tests. */
  server?: { variable: string; start: () => Promise<{ url: string; stop(): Promise<void> }> }
}

const kinds: Record<Need, Kind> = {
  postgres: {
    find: findPostgres,
    reason: noPostgres,
    server: { variable: 'TEST_DATABASE_URL', start: startWithTemplate },
  },
  redis: { find: findRedis, reason: noRedis, server: { variable: 'TEST_REDIS_URL', start: startRedis } },
  nginx: { find: findNginx, reason: noNginx },
  haproxy: { find: findHaproxy, reason: noHaproxy },
  caddy: { find: findCaddy, reason: noCaddy },
  apache: { find: findApache, reason: noApache },
  pgbouncer: { find: findPgbouncer, reason: noPgbouncer },
  chromium: { find: findChromium, reason: noChromium },
  go: { find: findGo, reason: noGo },
  php: { find: findPhp, reason: noPhp },
  fastapi: { find: findFastapi, reason: noFastapi },
  prometheus: { find: findPromtool, reason: noPromtool },
  authlib: { find: findAuthlib, reason: noAuthlib },
  'go-oidc': { find: findGoOidc, reason: noGoOidc },
  'mod-auth-openidc': { find: findModAuthOpenidc, reason: noModAuthOpenidc },
  'mod-oauth2': { find: findModOauth2, reason: noModOauth2 },
}

export async function openCounterparts(wanted: Set<Need>): Promise<Counterparts> {
  const missing = new Map<Need, string>()
  const addresses = new Map<Need, string>()
  const started = new Map<Need, { stop(): Promise<void> }>()
  for (const need of wanted) {
    const { find, reason, server } = kinds[need]
    const input = server && process.env[server.variable]
    if (input) addresses.set(need, input)
    else if (!find()) missing.set(need, reason)
    else if (server) {
      const running = await server.start()
      started.set(need, running)
      addresses.set(need, running.url)
    }
  }
  const required = (process.env.TEST_REQUIRE ?? '').split(/[\s,]+/)
  return {
    missing,
    unmet: [...missing.keys()].filter((need) => required.includes(need)),
    envFor: (part) => environment(part, addresses, started.has('postgres')),
    async close() {
      for (const server of started.values()) await server.stop()
    },
  }
}

/** All processes share this cache, because they load the same sources. */
const compileCache = fileURLToPath(new URL('../../build/test-cache', import.meta.url))

function environment({ uses, setup }: Part, addresses: Map<Need, string>, hasTemplate: boolean): NodeJS.ProcessEnv {
  // Without colours, the tests can compare what programs print. NODE_TEST_CONTEXT would make the processes of a run that
  // a test started report to the outer run.
  const { FORCE_COLOR: _colour, NODE_TEST_CONTEXT: _context, ...plain } = process.env
  const env: NodeJS.ProcessEnv = { ...plain, NODE_COMPILE_CACHE: compileCache, NO_COLOR: '1', TEST_SETUP: setup }
  for (const [need, { server }] of Object.entries(kinds) as [Need, Kind][]) {
    if (server) env[server.variable] = uses.includes(need) ? addresses.get(need) : undefined
  }
  // A server that the caller provides has no template database, so each test migrates its own database.
  env.TEST_TEMPLATE = hasTemplate && uses.includes('postgres') ? templateName : undefined
  return env
}
