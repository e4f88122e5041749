import { defineModule } from '../../hub/define-module.ts'
import { minute, second } from '../../lib/time.ts'
import checksums from './checksums.json' with { type: 'json' }
import { routesOfPages } from './client-authentication/share-with-pages.ts'
import { clientEventData } from './clients/event-schemas.ts'
import { clientDerivations } from './clients/events.ts'
import { examineClients } from './clients/examine-clients.ts'
import { secretUsesOf } from './clients/use-writer.ts'
import { tokenCredentials } from './credential.ts'
import { endExpiredGrants } from './grants/end-expired.ts'
import { grantJobs } from './grants/jobs.ts'
import { grantPersonalData } from './grants/personal-data.ts'
import { accessDetails } from './grants/user-grants.ts'
import { endAllGrants, endGrantsWithSessions } from './grants/with-sessions.ts'
import { signingKeyEventData } from './keys/event-schemas.ts'
import { signingKeyDerivations } from './keys/events.ts'
import { examineKeys } from './keys/examine-keys.ts'
import { signingKeyJobs } from './keys/upkeep.ts'
import { withdrawRestoredKeys } from './keys/withdraw-restored.ts'
import { logoutCountsOf } from './logout/count-deliveries.ts'
import { eraseAllLogouts } from './logout/delivery-queries.ts'
import { logoutDispatcherOf } from './logout/dispatcher.ts'
import { logoutJobs } from './logout/jobs.ts'
import { examineAddresses } from './metadata/examine-addresses.ts'
import { endpointMetadata, keyMetadata, logoutMetadata, openIdMetadata, serviceMetadata } from './metadata/parts.ts'
import { metadataRoutes } from './metadata/routes.ts'
import { errors, oauthAuditEvents, oauthLimits, oauthMails } from './names.ts'
import { accessMember, oauthPart } from './pages/console-part.ts'
import { accountNavigation, oauthNavigation } from './pages/navigation.ts'
import { oauthPageRoutes } from './pages/routes.ts'
import { rejectionCountsOf } from './rejections/count-rejections.ts'
import { oauthRoutes } from './routes.ts'
import { oauthSettings } from './settings.ts'
import spanishMeanings from './settings-es.json' with { type: 'json' }
import { tokenCountsOf } from './token/count-tokens.ts'
import { tokenJobs } from './token/jobs.ts'
import words from './words.json' with { type: 'json' }

/** Each part of the module adds the members of its endpoints. */
const metadataParts = [endpointMetadata, openIdMetadata, logoutMetadata, keyMetadata, serviceMetadata]

export const oauth = defineModule({
  directory: new URL('./', import.meta.url),
  checksums,
  words,
  switches: ['OAUTH_ENABLED'],
  settings: {
    chapter: 'OAuth',
    chapterNames: { es: 'OAuth' },
    settings: oauthSettings,
    meanings: { es: spanishMeanings },
  },
  errors,
  auditEvents: oauthAuditEvents,
  events: { ...clientEventData, ...signingKeyEventData },
  derivedEvents: { ...clientDerivations, ...signingKeyDerivations },
  mails: oauthMails,
  limits: oauthLimits,
  permissions: {
    'clients:secrets': 'superadmin',
    'signing_keys:manage': 'superadmin',
    'grants:read': 'admin',
    'grants:end': 'admin',
  },
  permissionWords: {
    en: {
      'clients:secrets': 'create and remove secrets of OAuth clients',
      'signing_keys:manage': 'see and replace the keys that sign tokens',
      'grants:read': 'see which applications can use accounts',
      'grants:end': 'end the access of applications to accounts',
    },
    es: {
      'clients:secrets': 'crear y eliminar secretos de clientes de OAuth',
      'signing_keys:manage': 'ver y sustituir las claves que firman tokens',
      'grants:read': 'ver qué aplicaciones pueden usar las cuentas',
      'grants:end': 'terminar el acceso de las aplicaciones a las cuentas',
    },
  },
  tags: { OAuth: 'Access tokens for programs, and their verification (oauth module).' },
  writeOnlyNames: [
    ...[
      'client_secret',
      'access_token',
      'refresh_token',
      'id_token',
      'code_verifier',
      'client_assertion',
      '*_token_hint',
    ],
  ],
  routes: (ctx) => (http) => {
    tokenCountsOf(ctx)
    rejectionCountsOf(ctx)
    logoutCountsOf(ctx)
    http.addHook('onClose', logoutDispatcherOf(ctx).stop)
    for (const routes of [oauthRoutes, metadataRoutes(metadataParts)]) routes(ctx)(http)
  },
  pages: {
    routes: oauthPageRoutes,
    console: oauthPart,
    adminNavigation: oauthNavigation,
    navigation: accountNavigation,
  },
  userDetails: [{ name: accessMember, read: accessDetails }],
  credentials: tokenCredentials,
  sharedRoutes: routesOfPages,
  commands: {
    description: 'Manage the authorization server',
    commands: {
      'client-list': async () => (await import('./cli/clients.ts')).clientListCommand,
      'client-show': async () => (await import('./cli/clients.ts')).clientShowCommand,
      'client-create': async () => (await import('./cli/clients.ts')).clientCreateCommand,
      'client-update': async () => (await import('./cli/clients.ts')).clientUpdateCommand,
      'client-rotate-secret': async () => (await import('./cli/clients.ts')).clientRotateSecretCommand,
      'client-disable': async () => (await import('./cli/clients.ts')).clientDisableCommand,
      'client-delete': async () => (await import('./cli/clients.ts')).clientDeleteCommand,
      'resource-list': async () => (await import('./cli/resources.ts')).resourceListCommand,
      'resource-create': async () => (await import('./cli/resources.ts')).resourceCreateCommand,
      'resource-update': async () => (await import('./cli/resources.ts')).resourceUpdateCommand,
      'resource-delete': async () => (await import('./cli/resources.ts')).resourceDeleteCommand,
      'grants-list': async () => (await import('./cli/grants.ts')).grantsListCommand,
      'grants-end': async () => (await import('./cli/grants.ts')).grantsEndCommand,
      'keys-list': async () => (await import('./keys/commands.ts')).keysListCommand,
      'keys-rotate': async () => (await import('./keys/commands.ts')).keysRotateCommand,
    },
  },
  cleanupJobs: { ...signingKeyJobs, ...tokenJobs, ...grantJobs, ...logoutJobs },
  scheduledJobs: {
    secret_uses: { every: () => second, run: (ctx) => secretUsesOf(ctx).flush() },
    logouts: { every: () => second, run: async (ctx) => logoutDispatcherOf(ctx).wake() },
    grant_expiry: { every: () => minute, run: async (ctx) => void (await endExpiredGrants(ctx)) },
  },
  personalData: grantPersonalData,
  sessionsEnded: endGrantsWithSessions,
  examine: async (db, config) => [
    await examineKeys(db, config),
    ...(await examineClients(db, config)),
    ...(await examineAddresses(config)),
  ],
  withdrawRestored: async (tx, options) => {
    await withdrawRestoredKeys(tx, options)
    if (!options.keepSessions) await endAllGrants(tx)
    // A copy must not sign users out of applications that the original serves.
    await eraseAllLogouts(tx.db)
  },
})
