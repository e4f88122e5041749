import type { TestEvent } from 'node:test/reporters'
import { spec } from 'node:test/reporters'
import { inspect } from 'node:util'
import type { TestResult } from './protocol.ts'

type Result = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>

/** The events of the running file. */
let events: TestEvent[] = []
let running = new Set<string>()
let errors: string[] = []
let waiting: { file: string; end: () => void } | undefined

/** Resolves when the suite of this file has ended. */
export function startFile(file: string): Promise<void> {
  events = []
  running = new Set()
  errors = []
  return new Promise((resolve) => {
    waiting = { file, end: resolve }
  })
}

// biome-ignore lint/style/noDefaultExport: Node.js loads reporters from the default export.
// biome-ignore lint/correctness/useYield: the results are sent to the runner instead of being printed.
export default async function* collect(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    events.push(event)
    if (event.type === 'test:dequeue') running.add(event.data.name)
    if (event.type === 'test:complete') noteEnd(event.data)
    if (isResult(event) && event.data.nesting === 0 && event.data.name === waiting?.file) waiting.end()
  }
}

function noteEnd({ name, details }: Extract<TestEvent, { type: 'test:complete' }>['data']): void {
  running.delete(name)
  if (details.error) errors.push(`failed before: ${name}\n${inspect(details.error.cause ?? details.error)}`)
}

const isResult = (event: TestEvent): event is Result => event.type === 'test:pass' || event.type === 'test:fail'

/** The tests that have started and not ended. */
export const runningTests = (): string[] => [...running].filter((name) => name !== waiting?.file)

/** Node.js reports failures in the order of the file, so this includes failures that it has not reported yet. */
export const failuresSoFar = (): string[] => errors

/** The results so far, and the failures as text. Suites count only if they fail on their own, for example in a hook. */
export async function reportOf(file: string): Promise<{ tests: TestResult[]; story: string }> {
  const own = events.flatMap((event) => withoutFile(event, file))
  const parents: string[] = []
  const tests: TestResult[] = []
  for (const event of own.filter(isStartOrResult)) {
    const { name, nesting } = event.data
    if (event.type === 'test:start') parents[nesting] = name
    else tests.push(...resultOf(event, [...parents.slice(0, nesting), name].join(' > ')))
  }
  return { tests, story: await failuresIn(own) }
}

const isStartOrResult = (event: TestEvent): event is Result | Extract<TestEvent, { type: 'test:start' }> =>
  event.type === 'test:start' || isResult(event)

/** Removes the file's suite, whose own failure, for example in a hook, counts as the failure of a test. */
function withoutFile(event: TestEvent, file: string): TestEvent[] {
  if (!event.data || !('nesting' in event.data)) return []
  if (event.data.nesting > 0)
    return [{ ...event, data: { ...event.data, nesting: event.data.nesting - 1 } } as TestEvent]
  return event.type === 'test:fail' && event.data.name === file ? [event] : []
}

function resultOf({ type, data }: Result, name: string): TestResult[] {
  // Node.js lets tests marked "todo" fail, but here they count as failures.
  if (data.todo !== undefined && data.todo !== false) return [{ name, outcome: 'failed' }]
  if (data.skip !== undefined && data.skip !== false)
    return [{ name, outcome: 'skipped', reason: typeof data.skip === 'string' ? data.skip : undefined }]
  const isSuite = data.details.type === 'suite'
  if (type === 'test:pass') return isSuite ? [] : [{ name, outcome: 'passed' }]
  return isSuite && failureType(data) === 'subtestsFailed' ? [] : [{ name, outcome: 'failed' }]
}

const failureType = (data: Extract<TestEvent, { type: 'test:fail' }>['data']): string | undefined =>
  (data.details.error as { failureType?: string } | undefined)?.failureType

/** The `spec` reporter prints failures when its input ends. */
async function failuresIn(own: TestEvent[]): Promise<string> {
  const reporter = new spec()
  const text = reporter.toArray()
  for (const event of own.filter(isFailure)) reporter.write(event)
  reporter.end()
  // The reporter first prints a list of the names.
  return (await text).join('').replace(/^.*✖ failing tests:\n/s, '')
}

const isFailure = (event: TestEvent): boolean =>
  event.type === 'test:fail' && !(event.data.details.type === 'suite' && failureType(event.data) === 'subtestsFailed')
