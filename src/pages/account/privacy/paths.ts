/** Addresses of the pages about personal data. */
export const privacyPath = '/account/privacy'
export const paths = {
  region: `${privacyPath}/region`,
  consent: `${privacyPath}/consent`,
  sale: `${privacyPath}/sale`,
  history: `${privacyPath}/history`,
  download: `${privacyPath}/download`,
  mail: `${privacyPath}/mail`,
  delete: `${privacyPath}/delete`,
  request: `${privacyPath}/delete/later`,
  cancel: `${privacyPath}/delete/cancel`,
} as const
