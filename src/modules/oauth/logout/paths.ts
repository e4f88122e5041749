export const endSessionPath = '/oauth/logout'
export const confirmEndPath = '/oauth/logout/confirm'
