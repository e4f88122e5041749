import { defineModule } from '../../hub/define-module.ts'
import checksums from './checksums.json' with { type: 'json' }
import { tokenCredentials } from './credential.ts'
import { errors, oauthAuditEvents, oauthLimits } from './names.ts'
import { oauthRoutes } from './routes.ts'
import { oauthSettings } from './settings.ts'
import spanishMeanings from './settings-es.json' with { type: 'json' }
import words from './words.json' with { type: 'json' }

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
  limits: oauthLimits,
  permissions: { 'clients:secrets': 'superadmin', 'signing_keys:manage': 'superadmin' },
  permissionWords: {
    en: {
      'clients:secrets': 'create and remove secrets of OAuth clients',
      'signing_keys:manage': 'see and replace the keys that sign tokens',
    },
    es: {
      'clients:secrets': 'crear y eliminar secretos de clientes de OAuth',
      'signing_keys:manage': 'ver y sustituir las claves que firman tokens',
    },
  },
  tags: { OAuth: 'Access tokens for programs, and their verification (oauth module).' },
  writeOnlyNames: ['client_secret', 'access_token', 'client_assertion'],
  routes: oauthRoutes,
  credentials: tokenCredentials,
})
