import type { StaffPermission } from '../../config/staff-permissions.ts'
import type { AdminEntry, Context } from '../../context.ts'
import { type AdminTexts, adminTextsFor } from './texts/index.ts'

interface CoreEntry {
  path: string
  label: keyof AdminTexts['shared']['entries']
  icon: string
  permission: StaffPermission
  /** The API requires this one to read what the page shows. */
  toRead?: StaffPermission
}

const coreEntries: CoreEntry[] = [
  { path: '/admin', label: 'overview', icon: 'overview', permission: 'overview:read' },
  { path: '/admin/people', label: 'people', icon: 'people', permission: 'users:read' },
  { path: '/admin/roles', label: 'roles', icon: 'key', permission: 'roles:manage', toRead: 'users:read' },
  { path: '/admin/audit', label: 'audit', icon: 'audit', permission: 'audit:read' },
  { path: '/admin/security', label: 'security', icon: 'shield', permission: 'security:read' },
  { path: '/admin/messages', label: 'messages', icon: 'mail', permission: 'messages:read' },
  { path: '/admin/applications', label: 'applications', icon: 'application', permission: 'applications:read' },
  { path: '/admin/webhooks', label: 'webhooks', icon: 'webhook', permission: 'webhooks:manage' },
  { path: '/admin/modules', label: 'modules', icon: 'modules', permission: 'modules:read' },
  { path: '/admin/settings', label: 'settings', icon: 'settings', permission: 'settings:read' },
]

/** Returns the entries for this role, in navigation order. */
export function adminEntriesOf(ctx: Context, role: string): AdminEntry[] {
  const entries: AdminEntry[] = coreEntries
    .filter(({ toRead }) => toRead === undefined || ctx.staff.may(role, toRead))
    .map(({ path, label, icon, permission }) => ({
      path,
      label: (lang) => adminTextsFor(lang).shared.entries[label],
      icon,
      permission,
    }))
  for (const entry of ctx.modules.adminNavigation(ctx.config)) {
    const before = entries.findIndex(({ path }) => path === entry.after)
    entries.splice(before < 0 ? entries.length : before + 1, 0, entry)
  }
  return entries.filter((entry) => ctx.staff.admits(entry, role))
}

export const unlockPath = '/admin/security/unlock'
