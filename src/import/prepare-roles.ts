import type { Context } from '../context.ts'
import { invalidField } from '../lib/errors.ts'
import type { TryRead } from '../lib/read-all.ts'
import { timeField } from '../lib/time-field.ts'
import { maxGrants } from '../roles/grants/set-roles.ts'
import type { ImportRecord } from './record.ts'

export interface ImportedRole {
  application: string
  key: string
  until: Date | null
}

/** Whether the roles exist is checked later, for many users at once. */
export function prepareRoles(
  { clock }: Pick<Context, 'clock'>,
  { roles = [] }: ImportRecord,
  attempt: TryRead,
): ImportedRole[] {
  const given = roles.map((one) => (typeof one === 'string' ? { role: one } : one))
  const names = given.map(({ role }) => role)
  return given.flatMap(({ role, until: end }, at) => {
    const field = `roles.${at}`
    const read = attempt(() => {
      const [application = '', key = '', ...rest] = role.split(':')
      if (application === '' || key === '' || rest.length > 0)
        throw invalidField(field, 'must be the name of an application role, such as billing:accountant')
      if (names.indexOf(role) < at) throw invalidField(field, 'is listed twice')
      if (at >= maxGrants) throw invalidField(field, `is one of more than ${maxGrants} roles`)
      const until = timeField(field, end) ?? null
      if (until && until.getTime() <= clock.now()) throw invalidField(field, 'has ended')
      return { application, key, until }
    })
    return read ?? []
  })
}
