/** Written by `npm run checksums`. */
export const checksums = {
  'bookmarks.sql': 'be3af094cac1204cd81f2714893857d807ab37c8a4910f3e4ce2da0f4446ba33',
  'comments.sql': '519e8bcb4f41775571c0551df10bf3d04f4aa772d821215c19cc69e368021524',
  'core.sql': '09667cb8ae739f03a9ca17f1da5b14b0673173c54306fb46402d253dc8046840',
  'module.json': '32ce6acdce7f61de7570a2ade55e8a1b1b95ab78b6cf048b0aa8e31eec98c881',
  'reactions.sql': '15a7e61042864fac7a79f36e33881c82f107350bafa7a57de89f76194ce374fa',
  'translations.sql': 'dd6ffb7875d1313bb6db3c97ffd6d49ccffe9d1938c1db4498a699da86d24c82',
  'views.sql': '367c3a8467276b78648799295b1aba8b6b6930ee5f9f4ead49c4c4e177d7184d',
}
