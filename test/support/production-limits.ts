import { settings } from '../../src/config/settings.ts'
import '../../src/modules/index.ts'

/** The default rate limits in production. In development, the defaults are higher. */
export const productionLimits: Record<string, string> = Object.fromEntries(
  Object.entries(settings)
    .filter(([name]) => name.startsWith('RATE_LIMIT_'))
    .map(([name, { shownDefault }]) => [name, shownDefault]),
)
