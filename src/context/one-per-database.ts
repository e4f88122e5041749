import type { Context } from '../context.ts'

/**
 * What a process has once for each database that it uses, and creates at the first use. Transactions have a context of their
 * own, with the same sessions.
 */
export function onePerDatabase<Value>(create: (ctx: Context) => Value): (ctx: Context) => Value {
  const values = new WeakMap<object, Value>()
  return (ctx) => {
    const known = values.get(ctx.sessions)
    if (known !== undefined) return known
    const value = create(ctx)
    values.set(ctx.sessions, value)
    return value
  }
}
