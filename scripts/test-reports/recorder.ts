import { AsyncLocalStorage } from 'node:async_hooks'

// Replaces `node:test` in files whose tests are listed but not run. Suites run, because they declare tests.
export { assert, mock, run, snapshot } from 'node:test'

type Body = (context: object) => unknown

const names: string[] = []
const parents = new AsyncLocalStorage<string[]>()

/** The tests declared since the last call, with the names of their suites. */
export const takeNames = (): string[] => names.splice(0)

const nameOf = (parts: unknown[]): string =>
  typeof parts[0] === 'string' ? parts[0] : (bodyOf(parts)?.name ?? '<anonymous>')

const bodyOf = (parts: unknown[]): Body | undefined => parts.find((part): part is Body => typeof part === 'function')

async function declareTest(...parts: unknown[]): Promise<void> {
  names.push([...(parents.getStore() ?? []), nameOf(parts)].join(' > '))
}

async function declareSuite(...parts: unknown[]): Promise<void> {
  const name = nameOf(parts)
  await parents.run([...(parents.getStore() ?? []), name], async () => bodyOf(parts)?.({ name }))
}

const withVariants = <Declare extends (...parts: unknown[]) => Promise<void>>(declare: Declare) =>
  Object.assign(declare, { skip: declare, only: declare, todo: declare })

export const test = withVariants(declareTest)
export const it = test
export const describe = withVariants(declareSuite)
export const suite = describe
export const before = (): void => {}
export const after = before
export const beforeEach = before
export const afterEach = before
// biome-ignore lint/style/noDefaultExport: `node:test` has a default export.
export default test
