import { deletePath, personalDataPath } from '../../../pages/account/personal-data/paths.ts'

/** Addresses of what the module adds to the pages about personal data. */
export const paths = {
  region: `${personalDataPath}/region`,
  consent: `${personalDataPath}/consent`,
  sale: `${personalDataPath}/sale`,
  history: `${personalDataPath}/history`,
  mail: `${personalDataPath}/mail`,
  request: `${deletePath}/later`,
  cancel: `${deletePath}/cancel`,
} as const
