/** Written by `npm run checksums`. */
export const checksums = {
  'core.sql': '79454d5b24e1bef8f1f21484a6ba503b17815baa07064489e531fd571093076b',
  'module.json': '7109eefe6e61f0943bfc2c9933ca56aa9b805e60721f23980c23df81a7be7c11',
}
