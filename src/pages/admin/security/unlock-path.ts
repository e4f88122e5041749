export const unlockPath = '/admin/security/unlock'
