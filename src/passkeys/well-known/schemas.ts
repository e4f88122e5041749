export const RelatedOriginsRoute = { summary: 'Origins on other domains that can use the passkeys' }
export const AndroidAppsRoute = { summary: 'Android apps that can use the passkeys' }
export const AppleAppsRoute = { summary: 'Apple apps that can use the passkeys' }
export const PasskeyEndpointsRoute = { summary: 'Pages on which users add and manage passkeys' }
export const ChangePasswordRoute = { summary: 'Redirect to the page on which users change their password' }
