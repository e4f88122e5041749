/** Written by `npm run checksums`. */
export const blogChecksums = {
  'bookmarks.sql': 'be3af094cac1204cd81f2714893857d807ab37c8a4910f3e4ce2da0f4446ba33',
  'comments.sql': '519e8bcb4f41775571c0551df10bf3d04f4aa772d821215c19cc69e368021524',
  'core-1.0-to-1.1.sql': '1cdb32219df12c94998427399818037db66c0de4cda6cd98672e8fe6cdb0f49d',
  'core.sql': '6191efe212e3e310d398741611a4d52a0b1629263a2cc7992e1402de1477ef4b',
  'module.json': '6502c26ce75dad762e7f7475d71bffec9b8811a3a44d380c6c8511b2e2271c99',
  'reactions.sql': '15a7e61042864fac7a79f36e33881c82f107350bafa7a57de89f76194ce374fa',
  'search.sql': '20c188d39186c540c44f53bb0279af14f7e96b0ee5e1ac9e6c3bbae1b0a29c5e',
  'translations.sql': 'bf3c39786b2da538e0c7c5e0327492652813e86efb69dd85fe3a29aa131ee42e',
  'views.sql': '367c3a8467276b78648799295b1aba8b6b6930ee5f9f4ead49c4c4e177d7184d',
}
