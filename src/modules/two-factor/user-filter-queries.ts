import { sql } from 'kysely'
import type { UserFilter } from '../../context.ts'
import { securityTextsFor } from './pages/texts.ts'

const isSetUp = sql<boolean>`EXISTS (SELECT FROM two_factor WHERE user_id = users.id AND status = 'active')`

/** Finds users by enrolled methods, even if no second factor is required at sign-in. */
export const hasSecondFactor: UserFilter = {
  name: 'second_factor',
  schema: {
    type: 'boolean',
    description: 'whether the user has set up a second factor; requires the two-factor module',
  },
  condition: (value) => (value === true ? isSetUp : sql<boolean>`NOT ${isSetUp}`),
  labels: (lang) => {
    const { label, yes, no } = securityTextsFor(lang).admin.filter
    return {
      label,
      choices: [
        { value: 'true', label: yes },
        { value: 'false', label: no },
      ],
    }
  },
}
