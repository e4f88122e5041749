/** Written by `npm run checksums`. */
export const checksums = {
  'core.sql': 'fd36e919c29e4d0114372ca29227469543568763ea544b6152a61fad9c583ef6',
  'module.json': '7109eefe6e61f0943bfc2c9933ca56aa9b805e60721f23980c23df81a7be7c11',
}
