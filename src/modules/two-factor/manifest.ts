import type { PersonalData } from '../../context.ts'
import { defineModule } from '../../hub/define-module.ts'
import { listOfModule } from '../../profile/schemas.ts'
import { securityPath } from '../../ui/paths.ts'
import { type PageLanguage, textsFor } from '../../ui/texts/index.ts'
import { secondFactorProblems } from './check-settings.ts'
import checksums from './checksums.json' with { type: 'json' }
import { factorEventData } from './event-schemas.ts'
import { factorDerivations } from './events.ts'
import { importedSeeds } from './import-seeds.ts'
import { errors, twoFactorAuditEvents, twoFactorMails } from './names.ts'
import { consolePart, factorsMember } from './pages/console-part.ts'
import { secondFactorPages } from './pages/in-core-pages.ts'
import { twoFactorOverview } from './pages/overview-part.ts'
import { twoFactorPageRoutes } from './pages/routes.ts'
import { securityPart } from './pages/security/list/security-part.ts'
import { listedMethod, methodKind } from './responses.ts'
import { twoFactorAdminRoutes, twoFactorRoutes } from './routes.ts'
import { secondFactor } from './second-factor.ts'
import { twoFactorSettings } from './settings.ts'
import spanishMeanings from './settings-es.json' with { type: 'json' }
import { forgetPending, resealSeeds } from './upkeep.ts'
import { hasSecondFactor } from './user-filter-queries.ts'
import { userMethodsOf } from './user-methods.ts'
import words from './words.json' with { type: 'json' }

const twoFactorPersonalData: PersonalData = {
  tables: ['two_factor'],
  // The core removes all sign-in methods, because it tells the user which ones.
  unproven: 'kept',
  exported: { two_factor_methods: { schema: listOfModule, inProfile: true } },
  collect: async (ctx, user) => ({
    two_factor_methods: (await userMethodsOf(ctx, user.id)).map(listedMethod),
  }),
}

export const twoFactor = defineModule({
  directory: new URL('./', import.meta.url),
  checksums,
  words,
  isSuggested: true,
  switches: ['TWO_FACTOR_ENABLED'],
  settings: {
    chapter: 'Second factors',
    chapterNames: { es: 'Segundos factores' },
    settings: twoFactorSettings,
    meanings: { es: spanishMeanings },
    check: secondFactorProblems,
  },
  errors,
  routeErrors: { reauthenticate: ['TWO_FACTOR_NO_METHOD'] },
  auditEvents: twoFactorAuditEvents,
  events: factorEventData,
  derivedEvents: factorDerivations,
  mails: twoFactorMails,
  mailGroup: 'second_factor',
  tags: { 'Two-factor': 'Second factors (two-factor module).' },
  routes: (ctx) => (http) => {
    for (const routes of [twoFactorRoutes, twoFactorAdminRoutes]) routes(ctx)(http)
  },
  pages: {
    routes: twoFactorPageRoutes,
    navigation: [
      {
        path: securityPath,
        label: (lang) => textsFor(lang as PageLanguage).account.entries.security,
        icon: 'shield',
        after: '/account/password',
      },
    ],
    overview: twoFactorOverview,
    security: securityPart,
    secondFactor: secondFactorPages,
    console: consolePart,
  },
  cleanupJobs: { forgotten_second_factors: forgetPending, resealed_seeds: resealSeeds },
  userFilters: { core: [hasSecondFactor] },
  userDetails: [
    {
      name: factorsMember,
      read: async (ctx, id, { showsDevices }) =>
        (await userMethodsOf(ctx, id)).map((row) => (showsDevices ? listedMethod(row) : methodKind(row))),
    },
  ],
  importMembers: [importedSeeds],
  personalData: twoFactorPersonalData,
  secondFactor,
})
