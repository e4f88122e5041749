import { securityPath } from '../../../../../ui/paths.ts'

export const securityPaths = {
  on: `${securityPath}/on`,
  recovery: `${securityPath}/recovery`,
  add: `${securityPath}/methods/add`,
  finish: `${securityPath}/finish`,
  resend: `${securityPath}/resend`,
  remove: `${securityPath}/remove`,
  removeSend: `${securityPath}/remove/send`,
  off: `${securityPath}/off`,
  offSend: `${securityPath}/off/send`,
} as const

export const addAddress = (kind: string): string => `${securityPaths.add}?${new URLSearchParams({ method: kind })}`
export const removalAddress = (id: string): string => `${securityPaths.remove}?${new URLSearchParams({ id })}`
