import { deletePath, personalDataPath } from '../../../pages/account/personal-data/schemas.ts'

export const privacyPaths = {
  region: `${personalDataPath}/region`,
  consent: `${personalDataPath}/consent`,
  sale: `${personalDataPath}/sale`,
  history: `${personalDataPath}/history`,
  mail: `${personalDataPath}/mail`,
  request: `${deletePath}/later`,
  cancel: `${deletePath}/cancel`,
} as const
