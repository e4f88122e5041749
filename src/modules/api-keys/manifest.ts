import { defineModule } from '../../hub/define-module.ts'
import { second } from '../../lib/time.ts'
import { serviceAccountRoutes, serviceKeyRoutes } from './admin-routes.ts'
import checksums from './checksums.json' with { type: 'json' }
import { keyCredentials } from './credential.ts'
import { endAllKeys } from './end-all.ts'
import { keyEventData } from './event-schemas.ts'
import { keyDerivations } from './events.ts'
import { errors, keyAuditEvents, keyLimits, keyMails } from './names.ts'
import { keysPath } from './pages/account/schemas.ts'
import { accountsPath } from './pages/accounts/paths.ts'
import { consolePart, keysMember } from './pages/console-part.ts'
import { pageRoutes } from './pages/routes.ts'
import { keyTextsFor } from './pages/texts.ts'
import { keyData } from './personal-data.ts'
import { keyRoutes } from './routes.ts'
import { keySettings } from './settings.ts'
import spanishMeanings from './settings-es.json' with { type: 'json' }
import { keyCleanupJobs } from './upkeep.ts'
import { useWriterOf } from './use-writer.ts'
import { keyDetails } from './user-keys.ts'
import words from './words.json' with { type: 'json' }

export const apiKeys = defineModule({
  directory: new URL('./', import.meta.url),
  checksums,
  words,
  switches: ['API_KEYS_ENABLED'],
  settings: {
    chapter: 'API keys',
    chapterNames: { es: 'Claves de API' },
    settings: keySettings,
    meanings: { es: spanishMeanings },
  },
  errors,
  auditEvents: keyAuditEvents,
  events: keyEventData,
  derivedEvents: keyDerivations,
  mails: keyMails,
  limits: keyLimits,
  permissions: { 'service_accounts:read': 'admin', 'keys:manage': 'superadmin' },
  permissionWords: {
    en: {
      'service_accounts:read': 'see service accounts and API keys',
      'keys:manage': 'manage service accounts and API keys',
    },
    es: {
      'service_accounts:read': 'ver cuentas de servicio y claves de API',
      'keys:manage': 'gestionar cuentas de servicio y claves de API',
    },
  },
  tags: { 'API keys': 'Keys of users and of service accounts (api-keys module).' },
  commands: {
    description: 'Manage API keys and service accounts',
    commands: {
      list: async () => (await import('./cli/keys.ts')).listCommand,
      create: async () => (await import('./cli/keys.ts')).createCommand,
      rotate: async () => (await import('./cli/keys.ts')).rotateCommand,
      revoke: async () => (await import('./cli/keys.ts')).revokeCommand,
      verify: async () => (await import('./cli/keys.ts')).verifyCommand,
      'service-account-list': async () => (await import('./cli/accounts.ts')).accountListCommand,
      'service-account-create': async () => (await import('./cli/accounts.ts')).accountCreateCommand,
      'service-account-update': async () => (await import('./cli/accounts.ts')).accountUpdateCommand,
      'service-account-disable': async () => (await import('./cli/accounts.ts')).accountDisableCommand,
      'service-account-delete': async () => (await import('./cli/accounts.ts')).accountDeleteCommand,
    },
  },
  routes: (ctx) => (http) => {
    for (const routes of [keyRoutes, serviceAccountRoutes, serviceKeyRoutes]) routes(ctx)(http)
  },
  pages: {
    routes: pageRoutes,
    console: consolePart,
    navigation: [{ path: keysPath, label: (lang) => keyTextsFor(lang).title, icon: 'key', after: '/account/sessions' }],
    adminNavigation: () => [
      {
        path: accountsPath,
        label: (lang) => keyTextsFor(lang).accounts.title,
        icon: 'code',
        permission: 'service_accounts:read',
        after: '/admin/applications',
      },
    ],
  },
  userDetails: [{ name: keysMember, read: keyDetails }],
  credentials: keyCredentials,
  scheduledJobs: { key_uses: { every: () => second, run: (ctx) => useWriterOf(ctx).flush() } },
  cleanupJobs: keyCleanupJobs,
  personalData: keyData,
  endCredentials: endAllKeys,
})
