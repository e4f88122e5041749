import { randomBytes } from 'node:crypto'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../test/support/free-port.ts'
import { cores, type PinnedProcess, startPinned } from './process/pinned.ts'

export const entry = join(import.meta.dirname, '../bin/wardenry.js')
export const bridgeSecret = randomBytes(32).toString('base64url')

/** Only the settings that production requires. All others keep their defaults. */
export const production = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PUBLIC_URL: 'https://auth.example.test',
  BRIDGE_SECRET: bridgeSecret,
  AUTH_SECRET: randomBytes(32).toString('base64url'),
  DATA_KEYS: `1:${randomBytes(32).toString('base64url')}`,
}

/** All load comes from one back end and one IP address, so the limits are raised. */
export const raisedLimits = { RATE_LIMIT_BRIDGE: '10000000/1s', RATE_LIMIT_LOGIN: '10000000/1s' }

export interface Service extends PinnedProcess {
  port: number
}

/** Starts the service in production mode, by default on the measured core. */
export const startService = (
  databaseUrl: string,
  directory: string,
  settings: Record<string, string> = {},
  place: keyof typeof cores = 'measured',
): Promise<Service> => startServiceOf(entry, { DATABASE_URL: databaseUrl, DATA_DIR: directory, ...settings }, place)

/** Starts the service of the checkout that contains this `bin/wardenry.js`. */
export async function startServiceOf(
  file: string,
  settings: Record<string, string>,
  place: keyof typeof cores,
): Promise<Service> {
  const port = Number(settings.PORT ?? (await freePort()))
  const env = { ...production, ...raisedLimits, PORT: String(port), ...settings }
  const service = startPinned(file, cores[place], env, ['start'])
  try {
    await untilAlive(port, service)
    return { ...service, port }
  } catch (error) {
    await service.stop()
    throw error
  }
}

async function untilAlive(port: number, service: PinnedProcess): Promise<void> {
  const end = performance.now() + 30_000
  while (!(await isAlive(port))) {
    await service.ask('cpu')
    if (performance.now() > end) throw new Error(`the service does not answer:\n${service.output()}`)
    await sleep(20)
  }
}

/** Whether GET /health/live returns 200. */
export function isAlive(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const requested = get({ port, path: '/health/live', agent: false, timeout: 1_000 }, (reply) =>
      resolve(reply.resume().statusCode === 200),
    )
    requested.on('error', () => resolve(false)).on('timeout', () => requested.destroy())
  })
}

/** Returns the result of `work` and the service's maximum event loop delay while it ran, in milliseconds. */
export async function withDelay<Result>(service: Service, work: () => Promise<Result>): Promise<[Result, number]> {
  await service.ask('watch delay')
  const result = await work()
  return [result, await service.ask<number>('longest delay')]
}
