import { limits } from '../../src/config/settings/limits.ts'

/** Outside production, limits that are not set allow more. */
export const productionLimits: Record<string, string> = Object.fromEntries(
  Object.entries(limits).map(([name, { shownDefault }]) => [name, shownDefault]),
)
