export const stopPath = '/impersonation/stop'
