/** Written by `npm run checksums`. */
export const checksums = {
  'bookmarks.sql': 'be3af094cac1204cd81f2714893857d807ab37c8a4910f3e4ce2da0f4446ba33',
  'comments.sql': '519e8bcb4f41775571c0551df10bf3d04f4aa772d821215c19cc69e368021524',
  'core.sql': '595e147555e369d1835c06975f4e668fc48e570a195d723df14f6d73ff5ea58d',
  'module.json': '3e3c39afbe3b9c12f6cd2c0ec5b660591a9acf4a160c82df0f57321779f7fd4a',
  'reactions.sql': '15a7e61042864fac7a79f36e33881c82f107350bafa7a57de89f76194ce374fa',
  'translations.sql': 'dd6ffb7875d1313bb6db3c97ffd6d49ccffe9d1938c1db4498a699da86d24c82',
  'views.sql': 'f4e16acab2bdf92e765ee54015f566fa7ba97703b961c12b6828a81b7bd10d2e',
}
