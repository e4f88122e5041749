import { onDay } from '../../../../ui/account/when.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import { fill, type PageLanguage } from '../../../../ui/texts/index.ts'
import type { ApplicationRoleEntry, ManagedUser } from './read-user.ts'

/** Undefined if there are no application roles. The rights of the staff role are shown above. */
export function rolePanel({ grants, applicationRoles: all }: ManagedUser, lang: PageLanguage, timeZone: string | null) {
  if (!grants || !all || (all.length === 0 && grants.length === 0)) return undefined
  const texts = adminTextsFor(lang).applicationRoles
  const given = grants.map(({ application, role: key, name, until }) => {
    const role = all.find((one) => one.application === application && one.role === key)
    const end = until === null ? undefined : fill(texts.until, { day: onDay(lang, until, timeZone) })
    const rights = role ? rolePermissions(lang, role).join(', ') || texts.noPermissions : texts.inactive
    return { title: `${application}: ${name}`, text: [end, rights].filter(Boolean).join(' · ') }
  })
  const defaults = all
    .filter((role) => role.default && !grants.some(({ role_id }) => role_id === role.id))
    .map((role) => ({
      title: `${role.application}: ${role.name}`,
      text: [texts.everybody, rolePermissions(lang, role).join(', ') || texts.noPermissions].join(' · '),
    }))
  return { title: texts.title, empty: texts.none, rows: [...given, ...defaults] }
}

/** The titles of the permissions, in this language if the application has declared them in it. */
export const rolePermissions = (lang: string, { permissions }: Pick<ApplicationRoleEntry, 'permissions'>): string[] =>
  permissions.map(({ key, title }) => title[lang] ?? title.en ?? key)
