import type { PersonalData } from '../../context.ts'
import { partOfModule } from '../../profile/schemas.ts'
import { findOnboarding } from './queries.ts'
import { shownState } from './state.ts'

/** Foreign keys erase both with their user. What is write-only has no part in an export, either. */
export const personalData: PersonalData = {
  tables: ['user_onboarding', 'user_acquisition'],
  exported: { onboarding: { schema: partOfModule } },
  collect: async ({ config, db }, { id }) => ({ onboarding: shownState(config, id, await findOnboarding(db, id)) }),
}
