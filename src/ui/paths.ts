// The paths of pages that features, modules and pages of other folders link to.

export const cancelPath = '/login/cancel'
export const setupPath = '/setup'
export const secondStepPath = '/login/verify'
export const recoverPath = '/recover'
export const recoverPasskeyPath = `${recoverPath}/passkey`
export const passkeyOfferPath = '/login/passkey'
export const securityPath = '/account/security'
export const linkedPath = '/account/linked'
export const personalDataPath = '/account/privacy'
