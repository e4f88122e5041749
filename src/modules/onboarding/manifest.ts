import type { PersonalData } from '../../context.ts'
import { defineModule } from '../../hub/define-module.ts'
import { partOfModule } from '../../profile/schemas.ts'
import checksums from './checksums.json' with { type: 'json' }
import { onboardingEventData } from './event-schemas.ts'
import { onboardingDerivations } from './events.ts'
import { consolePart } from './pages/console-part.ts'
import { onboardingPageRoutes, onboardingPath } from './pages/routes.ts'
import { onboardingTextsFor } from './pages/view.ts'
import { findOnboarding, forgetAnswers } from './queries.ts'
import { onboardingRoutes } from './routes.ts'
import { businessColumns } from './schemas.ts'
import { onboardingSettings } from './settings.ts'
import spanishMeanings from './settings-es.json' with { type: 'json' }
import { shownState } from './state.ts'
import words from './words.json' with { type: 'json' }

/** The rows in both tables are deleted with the user (ON DELETE CASCADE). Write-only members are not exported. */
export const personalData: PersonalData = {
  tables: ['user_onboarding', 'user_acquisition'],
  unproven: (tx, { id }) => forgetAnswers(tx.db, id),
  exported: { onboarding: { schema: partOfModule } },
  collect: async ({ config, db }, { id }) => ({ onboarding: shownState(config, id, await findOnboarding(db, id)) }),
}

const onboardingErrors = { ONBOARDING_COMPLETED: [409, 'Onboarding is already complete'] } as const

declare module '../../lib/errors.ts' {
  interface ModuleErrors {
    ONBOARDING_COMPLETED: true
  }
}

declare module '../../audit/events.ts' {
  interface ModuleAuditEvents {
    onboarding_completed: true
  }
}

export const onboarding = defineModule({
  directory: new URL('./', import.meta.url),
  checksums,
  words,
  switches: [],
  settings: {
    chapter: 'Onboarding',
    chapterNames: { es: 'Bienvenida' },
    settings: onboardingSettings,
    meanings: { es: spanishMeanings },
  },
  errors: onboardingErrors,
  auditEvents: ['onboarding_completed'],
  events: onboardingEventData,
  derivedEvents: onboardingDerivations,
  writeOnlyNames: ['acquisition*', 'team_size_range'],
  tags: { Onboarding: 'Steps after registration (onboarding module).' },
  routes: onboardingRoutes,
  pages: {
    routes: onboardingPageRoutes,
    console: consolePart,
    navigation: [{ path: onboardingPath, label: (lang) => onboardingTextsFor(lang).entry, icon: 'steps' }],
  },
  userColumns: { core: businessColumns },
  personalData,
})
