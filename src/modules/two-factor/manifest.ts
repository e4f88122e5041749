import { defineModule } from '../../hub/define-module.ts'
import { checksums } from './checksums.ts'
import { twoFactorPersonalData } from './personal-data.ts'
import { twoFactorRoutes } from './routes.ts'
import { secondFactor } from './second-factor.ts'
import { forgetPending, resealSeeds } from './upkeep.ts'

export const twoFactor = defineModule({
  directory: new URL('./', import.meta.url),
  checksums,
  isEnabled: (config) => config.TWO_FACTOR_ENABLED,
  routes: twoFactorRoutes,
  chores: { forgotten_second_factors: forgetPending, resealed_seeds: resealSeeds },
  personalData: twoFactorPersonalData,
  secondFactor,
})
