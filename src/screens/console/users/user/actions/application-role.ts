import { day, iso } from '../../../../../lib/time.ts'
import { SetUserRolesRoute } from '../../../../../roles/grants/schemas.ts'
import type { ActionField, UserAction, UserDetails } from '../../../../../ui/console/console-part.ts'
import { adminTextsFor } from '../../../../../ui/console/texts/index.ts'
import { call } from '../../../../../ui/shared/api-route.ts'
import type { ApplicationRoleEntry, GivenRole } from '../read-user.ts'
import { isLiving, ofUser, words } from './action-parts.ts'

const grantsOf = ({ grants = [] }: UserDetails) => grants as readonly GivenRole[]
const rolesOf = ({ applicationRoles = [] }: UserDetails) => applicationRoles as readonly ApplicationRoleEntry[]

const givable = (details: UserDetails) =>
  rolesOf(details).filter((role) => !role.default && !grantsOf(details).some(({ role_id }) => role_id === role.id))

/** The API replaces all roles of an application. */
const setRoles = (details: UserDetails, application: string, roles: readonly Grant[]) =>
  call(SetUserRolesRoute, { params: ofUser(details), body: { application, roles: [...roles] } })

interface Grant {
  application: string
  role: string
  until: string | null
}

const others = (details: UserDetails, application: string): Grant[] =>
  grantsOf(details)
    .filter((grant) => grant.application === application)
    .map(({ role, until }) => ({ application, role, until }))

const nameOf = ({ application, name }: { application: string; name: string }) => `${application}: ${name}`
const optionOf = ({ application, role }: { application: string; role: string }) => `${application}:${role}`

function readRole(value = ''): { application: string; role: string } {
  const at = value.indexOf(':')
  return { application: value.slice(0, Math.max(at, 0)), role: value.slice(at + 1) }
}

const roleField = (choicesOf: (details: UserDetails) => { value: string; label: string }[]): ActionField => ({
  name: 'application_role',
  label: (lang) => adminTextsFor(lang).applicationRoles.role,
  maxLength: 200,
  isRequired: true,
  choices: (lang, _, details) => [{ value: '', label: adminTextsFor(lang).actions.chooseRole }, ...choicesOf(details)],
})

const durations = [7, 30, 90, 365]

const endField: ActionField = {
  name: 'days',
  label: (lang) => adminTextsFor(lang).applicationRoles.end,
  maxLength: 4,
  choices: (lang) => endChoices(lang),
}

export function endChoices(lang: string): { value: string; label: string }[] {
  const unit = new Intl.NumberFormat(lang, { style: 'unit', unit: 'day', unitDisplay: 'long' })
  return [
    { value: '', label: adminTextsFor(lang).applicationRoles.noEnd },
    ...durations.map((count) => ({ value: String(count), label: unit.format(count) })),
  ]
}

/** The end of a role that is given for one of the offered numbers of days. Null: never. */
export const endOf = (days: string | undefined, now: number): string | null =>
  durations.includes(Number(days)) ? iso(now + Number(days) * day) : null

export const giveRole = (now: () => number): UserAction => ({
  name: 'give-role',
  icon: 'key',
  right: 'grant_roles',
  isFor: (details) => isLiving(details) && givable(details).length > 0,
  words: words('give_role'),
  undo: 'take-role',
  fields: [
    roleField((details) => givable(details).map((role) => ({ value: optionOf(role), label: nameOf(role) }))),
    endField,
  ],
  call(details, { application_role: value, days }) {
    const { application, role } = readRole(value)
    return setRoles(details, application, [
      ...others(details, application),
      { application, role, until: endOf(days, now()) },
    ])
  },
})

export const takeRole: UserAction = {
  name: 'take-role',
  icon: 'undo',
  right: 'grant_roles',
  isFor: (details) => isLiving(details) && grantsOf(details).length > 0,
  words: words('take_role'),
  fields: [roleField((details) => grantsOf(details).map((one) => ({ value: optionOf(one), label: nameOf(one) })))],
  call(details, { application_role: value }) {
    const { application, role } = readRole(value)
    return setRoles(
      details,
      application,
      others(details, application).filter((grant) => grant.role !== role),
    )
  },
}
