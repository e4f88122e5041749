import type { Config } from '../../config/load.ts'
import { unknownTypesIn } from '../../config/user-types.ts'

export const secondFactorProblems = (config: Config): (string | false)[] => [
  unknownTypesIn('TWO_FACTOR_REQUIRED_FOR', config.TWO_FACTOR_REQUIRED_FOR, config),
]
