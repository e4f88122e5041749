import { defineModule } from '../../hub/define-module.ts'
import { privacyAdminRoutes } from './admin-routes.ts'
import { privacyChecksums } from './checksums.ts'
import { downloadRoutes } from './download-routes.ts'
import { deleteExpiredExports } from './export-queries.ts'
import { exportJob, makeExport } from './make-export.ts'
import { privacyMails } from './names.ts'
import { showDelete } from './pages/delete/show-delete.ts'
import { showPrivacy } from './pages/overview/show-privacy.ts'
import { privacyPageRoutes } from './pages/routes.ts'
import { privacyData } from './personal-data.ts'
import { deletionJob } from './request-deletion.ts'
import { privacyRoutes } from './routes.ts'
import { runDueDeletions } from './run-deletions.ts'
import { privacyColumns } from './schemas.ts'
import { privacySettings } from './settings.ts'

export const privacy = defineModule({
  directory: new URL('./', import.meta.url),
  checksums: privacyChecksums,
  switches: [],
  settings: { chapter: 'Privacy', settings: privacySettings },
  auditEvents: ['consent_changed', 'deletion_requested', 'deletion_cancelled'],
  mails: privacyMails,
  tags: { Privacy: 'Consent, data export and deletion (module privacy).' },
  routes: (ctx) => (http) => {
    for (const routes of [privacyRoutes, privacyAdminRoutes, downloadRoutes]) routes(ctx)(http)
  },
  pages: {
    routes: privacyPageRoutes,
    personalData: { showOverview: showPrivacy, showDelete, exportPath: '/auth/user/me/privacy/export' },
  },
  userColumns: { core: privacyColumns },
  queuedJobs: {
    [exportJob]: makeExport,
    [deletionJob]: async (ctx) => void (await runDueDeletions(ctx)),
  },
  cleanupJobs: {
    due_deletions: runDueDeletions,
    expired_exports: (ctx) => deleteExpiredExports(ctx.db, ctx.clock.date(), 1_000),
  },
  personalData: privacyData,
})
