import type { AdminEntry, Context } from '../../context.ts'
import { admins, staff, superadmins } from '../../http/access/access.ts'
import { type AdminTexts, adminTextsFor } from './texts/index.ts'

interface CoreEntry {
  path: string
  label: keyof AdminTexts['shared']['entries']
  icon: string
  roles?: readonly string[]
}

export const staffRoles: readonly string[] = staff.roles ?? []

const coreEntries: CoreEntry[] = [
  { path: '/admin', label: 'overview', icon: 'overview' },
  { path: '/admin/people', label: 'people', icon: 'people' },
  { path: '/admin/audit', label: 'audit', icon: 'audit' },
  { path: '/admin/security', label: 'security', icon: 'shield' },
  { path: '/admin/messages', label: 'messages', icon: 'mail', roles: admins.roles ?? [] },
  { path: '/admin/applications', label: 'applications', icon: 'application', roles: superadmins.roles ?? [] },
  { path: '/admin/webhooks', label: 'webhooks', icon: 'webhook', roles: superadmins.roles ?? [] },
  { path: '/admin/modules', label: 'modules', icon: 'modules', roles: admins.roles ?? [] },
  { path: '/admin/settings', label: 'settings', icon: 'settings', roles: admins.roles ?? [] },
]

/** Returns the entries for this role, in navigation order. */
export function adminEntriesOf(ctx: Context, role: string): AdminEntry[] {
  const entries: AdminEntry[] = coreEntries.map(({ path, label, icon, roles = staffRoles }) => ({
    path,
    label: (lang) => adminTextsFor(lang).shared.entries[label],
    icon,
    roles,
  }))
  for (const entry of ctx.modules.adminNavigation(ctx.config)) {
    const before = entries.findIndex(({ path }) => path === entry.after)
    entries.splice(before < 0 ? entries.length : before + 1, 0, entry)
  }
  return entries.filter(({ roles }) => roles.includes(role))
}

export const unlockPath = '/admin/security/unlock'
