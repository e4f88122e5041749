import { defineModule } from '../../hub/define-module.ts'
import { onboardingChecksums } from './checksums.ts'
import { onboardingErrors } from './names.ts'
import { onboardingPath } from './pages/paths.ts'
import { onboardingPageRoutes } from './pages/routes.ts'
import { onboardingTextsFor } from './pages/texts.ts'
import { personalData } from './personal-data.ts'
import { onboardingRoutes } from './routes.ts'
import { businessColumns } from './schemas.ts'
import { onboardingSettings } from './settings.ts'

export const onboarding = defineModule({
  directory: new URL('./', import.meta.url),
  checksums: onboardingChecksums,
  switches: [],
  settings: { chapter: 'Onboarding', settings: onboardingSettings },
  errors: onboardingErrors,
  auditEvents: ['onboarding_completed'],
  writeOnlyNames: ['acquisition*', 'team_size_range'],
  tags: { Onboarding: 'Steps after the registration (module onboarding).' },
  routes: onboardingRoutes,
  pages: {
    routes: onboardingPageRoutes,
    navigation: [{ path: onboardingPath, label: (lang) => onboardingTextsFor(lang).entry }],
  },
  userColumns: { core: businessColumns },
  personalData,
})
