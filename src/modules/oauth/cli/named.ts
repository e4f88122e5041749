import { findByKey } from '../../../applications/queries.ts'
import type { Context } from '../../../context.ts'
import { parseDuration, second } from '../../../lib/time.ts'
import { listResources } from '../resources/show-resource.ts'

/** The id of the application with this key. */
export async function applicationNamed({ db }: Context, key: string | undefined): Promise<string> {
  if (key === undefined) throw new Error('Pass --application with the key of an application')
  const found = await findByKey(db, key)
  if (!found || found.deleted_at) throw new Error(`There is no application ${JSON.stringify(key)}`)
  return found.id
}

export async function resourceNamed(ctx: Context, named: string) {
  const found = (await listResources(ctx)).find(({ id, identifier }) => id === named || identifier === named)
  if (!found) throw new Error(`There is no resource ${JSON.stringify(named)}: run "resource-list"`)
  return found
}

export function choiceOf<const Word extends string>(option: string, words: readonly Word[], text: string): Word {
  const found = words.find((word) => word === text)
  if (!found) throw new Error(`${option} must be one of ${words.join(', ')}`)
  return found
}

/** `10m` is 600 seconds. */
export function secondsIn(option: string, text: string): number {
  const duration = parseDuration(text)
  if (duration === undefined) throw new Error(`${option} must be a duration such as 10m`)
  return duration / second
}
