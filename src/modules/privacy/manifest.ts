import { type ChangeableIn, changeable, duration, optionalText, type SettingValues } from '../../config/kinds.ts'
import { defineModule } from '../../hub/define-module.ts'
import { call } from '../../ui/shared/api-route.ts'
import { privacyAdminRoutes } from './admin-routes.ts'
import checksums from './checksums.json' with { type: 'json' }
import { findRequest, postponeRequestedDeletions } from './deletion-queries.ts'
import { downloadRoutes } from './download-routes.ts'
import { privacyEventData } from './event-schemas.ts'
import { privacyDerivations } from './events.ts'
import { deleteExpiredExports } from './export-queries.ts'
import { privacyExportRoute } from './export-schemas.ts'
import { privacyHistory } from './history.ts'
import { importedConsent } from './import-consent.ts'
import { exportJob, makeExport } from './make-export.ts'
import { privacyMails } from './names.ts'
import { consolePart } from './pages/console-part.ts'
import { showDelete } from './pages/delete/view.ts'
import { showPrivacy } from './pages/overview/show-privacy.ts'
import { privacyOverview } from './pages/overview-part.ts'
import { requestPaths } from './pages/requests/schemas.ts'
import { privacyPageRoutes } from './pages/routes.ts'
import { privacyTextsFor } from './pages/texts.ts'
import { decisionsMember, deletionMember } from './pages/user-actions.ts'
import { privacyData } from './personal-data.ts'
import { deletionJob } from './request-deletion.ts'
import { pendingDeletion } from './responses.ts'
import { privacyRoutes } from './routes.ts'
import { runDueDeletions } from './run-deletions.ts'
import { privacyColumns } from './schemas.ts'
import spanishMeanings from './settings-es.json' with { type: 'json' }
import words from './words.json' with { type: 'json' }

const privacySettings = {
  GDPR_CONSENT_VERSION: changeable(
    optionalText('version of your terms to record for consents that do not specify one', {
      check: (value) => (/^[^\p{C}]{1,32}$/u.test(value) ? undefined : 'must be one line of at most 32 characters'),
    }),
  ),
  PRIVACY_DELETION_GRACE: changeable(
    duration('14d', '0s', '90d', 'time between a deletion request and the deletion; 0s: delete immediately'),
  ),
} as const

type PrivacySettings = SettingValues<typeof privacySettings>

declare module '../../config/load.ts' {
  interface Config extends PrivacySettings {}
  interface ChangeableSettings extends ChangeableIn<typeof privacySettings> {}
}

export const privacy = defineModule({
  directory: new URL('./', import.meta.url),
  checksums,
  words,
  switches: [],
  settings: {
    chapter: 'Privacy',
    chapterNames: { es: 'Privacidad' },
    settings: privacySettings,
    meanings: { es: spanishMeanings },
  },
  auditEvents: ['consent_changed', 'deletion_requested', 'deletion_cancelled'],
  events: privacyEventData,
  derivedEvents: privacyDerivations,
  mails: privacyMails,
  mailGroup: 'personal_data',
  permissions: { 'privacy:manage': 'admin' },
  permissionWords: {
    en: { 'privacy:manage': 'manage data exports and account deletions' },
    es: { 'privacy:manage': 'gestionar exportaciones de datos y eliminaciones de cuentas' },
  },
  tags: { Privacy: 'Consent, data export and deletion (privacy module).' },
  routes: (ctx) => (http) => {
    for (const routes of [privacyRoutes, privacyAdminRoutes, downloadRoutes]) routes(ctx)(http)
  },
  pages: {
    routes: privacyPageRoutes,
    console: consolePart,
    adminNavigation: () => [
      {
        path: requestPaths.list,
        label: (lang) => privacyTextsFor(lang).admin.requests.title,
        icon: 'hand',
        permission: 'privacy:manage',
        after: '/admin/people',
      },
    ],
    overview: privacyOverview,
    personalData: { showOverview: showPrivacy, showDelete, exportCall: (modules) => call(privacyExportRoute(modules)) },
  },
  userColumns: { core: privacyColumns },
  userDetails: [
    { name: decisionsMember, read: async (ctx, id) => (await privacyHistory(ctx, id, { limit: 10 })).events },
    { name: deletionMember, read: async ({ db }, id) => pendingDeletion(await findRequest(db, id)) },
  ],
  queuedJobs: {
    [exportJob]: makeExport,
    [deletionJob]: async (ctx) => void (await runDueDeletions(ctx)),
  },
  cleanupJobs: {
    due_deletions: runDueDeletions,
    expired_exports: (ctx) => deleteExpiredExports(ctx.db, ctx.clock.date(), 1_000),
  },
  importMembers: [importedConsent],
  personalData: privacyData,
  postponeDeletions: postponeRequestedDeletions,
})

declare module '../../config/staff-permissions.ts' {
  interface ModulePermissions {
    'privacy:manage': true
  }
}
