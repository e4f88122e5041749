import type { PersonalData } from '../../context.ts'
import { partOfModule } from '../../profile/schemas.ts'
import { findOnboarding } from './queries.ts'
import { shownState } from './state.ts'

/** Foreign keys delete both tables with the user. Write-only members are not exported. */
export const personalData: PersonalData = {
  tables: ['user_onboarding', 'user_acquisition'],
  exported: { onboarding: { schema: partOfModule } },
  collect: async ({ config, db }, { id }) => ({ onboarding: shownState(config, id, await findOnboarding(db, id)) }),
}
