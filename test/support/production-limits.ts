import { settings } from '../../src/config/settings.ts'
import '../../src/modules/index.ts'

/** Outside production, the default limits are higher. */
export const productionLimits: Record<string, string> = Object.fromEntries(
  Object.entries(settings)
    .filter(([name]) => name.startsWith('RATE_LIMIT_'))
    .map(([name, { shownDefault }]) => [name, shownDefault]),
)
