export const securityPath = '/account/security'
export const securityPaths = {
  on: `${securityPath}/on`,
  recovery: `${securityPath}/recovery`,
  add: `${securityPath}/add`,
  finish: `${securityPath}/finish`,
  resend: `${securityPath}/resend`,
  remove: `${securityPath}/remove`,
  removeSend: `${securityPath}/remove/send`,
  off: `${securityPath}/off`,
  offSend: `${securityPath}/off/send`,
} as const
