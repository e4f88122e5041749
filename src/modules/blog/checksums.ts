/** Written by `npm run checksums`. */
export const checksums = {
  'core.sql': '05d4416598ad01a6065ef4502fc13893351a0fff4a875b986a7dfd0fc326649b',
  'module.json': '8fcf0988ce80a517d34fce5be36c1cb91ba12ac5cb2b1c1ae6977ffaa663cc99',
}
