export const authorizePath = '/oauth/authorize'
export const continuePath = '/oauth/continue'
export const consentPath = '/oauth/consent'

export const continueAddress = (id: string): string => `${continuePath}?${new URLSearchParams({ request: id })}`

/** Tells the client that the user does not go on. */
export const cancelRequestAddress = (id: string): string => `${continueAddress(id)}&error=access_denied`

export const consentAddress = (id: string): string => `${consentPath}?${new URLSearchParams({ request: id })}`
