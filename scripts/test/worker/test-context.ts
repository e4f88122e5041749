import hooks, { AsyncLocalStorage } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

// Node.js's test runner finds the test that code belongs to with hooks that run for each promise, timer and socket, and
// which take up to a quarter of a file's CPU time. This module must be loaded before `node:test`. It keeps the same
// information in an AsyncLocalStorage, which takes next to none.
const { AsyncResource, createHook, executionAsyncId } = hooks
const current = new AsyncLocalStorage<number>()
let init: hooks.HookCallbacks['init']

/** A test, hook or suite of the test runner. */
class TestResource extends AsyncResource {
  constructor(type: string, options?: hooks.AsyncResourceOptions) {
    super(type, options)
    init?.(this.asyncId(), type, this.triggerAsyncId(), this)
  }

  override runInAsyncScope<This, Result>(
    work: (this: This, ...args: unknown[]) => Result,
    thisArg?: This,
    ...args: unknown[]
  ): Result {
    return super.runInAsyncScope(() => current.run(this.asyncId(), () => work.apply(thisArg as This, args)))
  }
}

Object.assign(hooks, {
  AsyncResource: TestResource,
  executionAsyncId: () => current.getStore() ?? executionAsyncId(),
  createHook(callbacks: hooks.HookCallbacks) {
    init = callbacks.init
    return { enable: () => {}, disable: () => {} }
  },
})
process.getBuiltinModule('node:test')
Object.assign(hooks, { AsyncResource, createHook, executionAsyncId })
syncBuiltinESMExports()
