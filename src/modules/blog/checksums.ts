/** Written by `npm run checksums`. */
export const checksums = {
  'bookmarks.sql': 'be3af094cac1204cd81f2714893857d807ab37c8a4910f3e4ce2da0f4446ba33',
  'comments.sql': '519e8bcb4f41775571c0551df10bf3d04f4aa772d821215c19cc69e368021524',
  'core.sql': '05d4416598ad01a6065ef4502fc13893351a0fff4a875b986a7dfd0fc326649b',
  'module.json': '4a30fad361d59815d3cb7a9a1fd0de6e63df6c0a20bdb20ff1bd03dee36cedac',
  'reactions.sql': '15a7e61042864fac7a79f36e33881c82f107350bafa7a57de89f76194ce374fa',
  'translations.sql': 'dd6ffb7875d1313bb6db3c97ffd6d49ccffe9d1938c1db4498a699da86d24c82',
}
