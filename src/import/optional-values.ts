import { AppError, type FieldProblem } from '../lib/errors.ts'
import { isSameName } from './sources/read-row.ts'

type Members = Readonly<Record<string, unknown>>

/**
 * Without one of these members, a user would have another identity or more rights, or a choice would be undone. The
 * last ones are the names of other systems for members that block a user.
 */
const indispensable = [
  ...['id', 'external_id', 'email', 'user_type', 'two_factor', 'deleted_at', 'blocked', 'consent'],
  ...['banned', 'banned_until', 'disabled', 'enabled', 'Enabled', 'UserStatus', 'spam', 'deleted'],
]

export const isIndispensable = (member: string): boolean => indispensable.some((name) => isSameName(name, member))

/**
 * Calls `read`, and calls it again without the values that it refuses, so that no user is left out because of an
 * optional value. `memberOf` returns the member of the record that a name refers to, and `nameOf` the opposite.
 */
export function readWithout<Value>(
  given: Members,
  read: (members: Members) => Value,
  names: { memberOf?(name: string): string; nameOf?(member: string): string } = {},
): { value: Value; lost: string[] } {
  const lost: string[] = []
  for (let members = given; ; ) {
    try {
      return { value: read(members), lost }
    } catch (error) {
      const refused = rejectedOf(error, members)
      if (!refused || refused.some(({ name }) => isIndispensable(names.memberOf?.(name) ?? name))) throw error
      lost.push(...refused.map(({ name, message }) => `${names.nameOf?.(name) ?? name} (${message})`))
      members = without(members, refused)
    }
  }
}

interface Rejected {
  name: string
  /** The position in the member, if the member is a list. */
  at: number | undefined
  message: string
}

/** Returns undefined unless every problem is a problem of a member. */
function rejectedOf(error: unknown, members: Members): Rejected[] | undefined {
  const problems = error instanceof AppError ? (error.details ?? []) : []
  const refused = problems.flatMap((problem) => rejectedBy(problem, members) ?? [])
  return refused.length > 0 && refused.length === problems.length ? refused : undefined
}

function rejectedBy({ field, message }: FieldProblem, members: Members): Rejected | undefined {
  const name = Object.keys(members).find((one) => field === one || field.startsWith(`${one}.`))
  if (name === undefined) return undefined
  const [index = '', ...rest] = field.slice(name.length + 1).split('.')
  const value = members[name]
  const at = Array.isArray(value) && /^\d+$/.test(index) && Number(index) < value.length ? Number(index) : undefined
  const path = at === undefined ? [index, ...rest] : rest
  return { name, at, message: path[0] ? `${path.join('.')} ${message}` : message }
}

function without(members: Members, refused: readonly Rejected[]): Members {
  const kept = Object.entries(members).flatMap(([name, value]) => {
    const own = refused.filter((one) => one.name === name)
    if (own.length === 0) return [[name, value]]
    if (!Array.isArray(value) || own.some(({ at }) => at === undefined)) return []
    return [[name, value.filter((_, at) => !own.some((one) => one.at === at))]]
  })
  // A second factor that cannot be kept is still required. Until the user adds another one, it is a code by email.
  const losesFactor = refused.some(({ name }) => name === 'totp')
  return { ...(losesFactor && { two_factor: true }), ...Object.fromEntries(kept) }
}
