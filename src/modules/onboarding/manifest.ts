import { defineModule } from '../../hub/define-module.ts'
import { checksums } from './checksums.ts'
import { personalData } from './personal-data.ts'
import { onboardingRoutes } from './routes.ts'
import { businessColumns } from './schemas.ts'

export const onboarding = defineModule({
  directory: new URL('./', import.meta.url),
  checksums,
  switches: [],
  routes: onboardingRoutes,
  userColumns: { core: businessColumns },
  personalData,
})
