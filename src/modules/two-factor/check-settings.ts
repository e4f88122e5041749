import type { Config } from '../../config/load.ts'
import { userTypesOf } from '../../config/user-types.ts'

/** Finds a misspelt user type, whose users would be unprotected. */
export function secondFactorProblems(config: Config): (string | false)[] {
  const types = userTypesOf(config)
  const unknown = config.TWO_FACTOR_REQUIRED_FOR.filter((type) => !types.includes(type))
  return [unknown.length > 0 && `TWO_FACTOR_REQUIRED_FOR names ${unknown.join(', ')}: not a user type`]
}
