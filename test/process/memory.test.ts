import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { loginAt, needsPostgres, newDatabase, newDeployment, registerAt, validateAt } from '../nodes/nodes.ts'
import { type Service, startService } from '../support/child.ts'
import type { Person } from '../support/people.ts'

const minutes = Number(process.env.SOAK_MINUTES ?? 0)
const skip = minutes === 0 && 'skipped: no SOAK_MINUTES'

interface Sample {
  /** In MiB. */
  memory: number
  descriptors: number
}

describe('after the first sixth of a long time under load, memory and descriptors do not grow', {
  concurrency: true,
}, () => {
  for (const kind of ['embedded', 'postgres']) {
    const options = kind === 'postgres' ? { skip: skip || needsPostgres.skip } : { skip }
    test(`on ${kind}`, options, async (t) => {
      const database = kind === 'postgres' ? await newDatabase() : undefined
      t.after(() => database?.drop())
      const service = await startService({ ...newDeployment(), ...(database && { DATABASE_URL: database.url }) })
      t.after(() => service.stop())
      const { samples, failures, requests } = await underLoad(service, minutes * 60_000)

      const window = Math.ceil(samples.length / 12)
      const early = meanOf(samples.slice(2 * window, 3 * window))
      const late = meanOf(samples.slice(-window))
      t.diagnostic(`${failures.length} of ${requests} requests failed`)
      t.diagnostic(`early ${JSON.stringify(early)}, late ${JSON.stringify(late)}`)
      // A request may fail while another process keeps the machine busy.
      assert.ok(failures.length <= requests / 1_000, String(failures[0]))
      assert.ok(late.memory <= 1.05 * early.memory, `memory grew from ${early.memory} to ${late.memory} MiB`)
      assert.ok(late.descriptors <= 1.05 * early.descriptors, `${early.descriptors} to ${late.descriptors} descriptors`)
    })
  }
})

/** Sends 20 requests per second: registrations, sign-ins, rejected sign-ins and validations. */
async function underLoad(service: Service, milliseconds: number) {
  const people: Awaited<ReturnType<typeof registerAt>>[] = [await registerAt(service.url)]
  const anybody = () => people[Math.floor(Math.random() * people.length)]!
  const actions: [everyTicks: number, act: () => Promise<unknown>][] = [
    [20, async () => people.push(await registerAt(service.url))],
    [10, () => loginAt(service.url, anybody())],
    [20, () => loginAt(service.url, { ...anybody(), password: 'not the password' } as Person)],
    [1, () => validateAt(service.url, anybody().sessionToken)],
  ]
  const samples: Sample[] = []
  const failures: unknown[] = []
  let requests = 0
  const pending = new Set<Promise<unknown>>()
  const started = performance.now()
  for (let tick = 1; performance.now() - started < milliseconds; tick++) {
    const [, act] = actions.find(([everyTicks]) => tick % everyTicks === 0)!
    requests++
    const running: Promise<unknown> = act()
      .catch((error) => failures.push(error))
      .finally(() => pending.delete(running))
    pending.add(running)
    if (tick % 100 === 0) samples.push(sampleOf(service))
    if (people.length > 1_000) people.shift()
    await sleep(Math.max(0, started + tick * 50 - performance.now()))
  }
  await Promise.all(pending)
  return { samples, failures, requests }
}

function sampleOf({ pid }: Service): Sample {
  const kibibytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return { memory: Number(kibibytes) / 1024, descriptors: readdirSync(`/proc/${pid}/fd`).length }
}

const meanOf = (samples: Sample[]): Sample => {
  const mean = (name: keyof Sample) => Math.round(samples.reduce((sum, one) => sum + one[name], 0) / samples.length)
  return { memory: mean('memory'), descriptors: mean('descriptors') }
}
