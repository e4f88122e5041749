/** Written by `npm run checksums`. */
export const twoFactorChecksums = {
  'core.sql': 'f8bf4a62acf8136ebe42cef5f2a8153c82213268e6549b40e6ba869288517bfe',
  'module.json': '129e025e00609795bc1824e5a27d2f7f3c39282030dd5be6035f065da28ea61c',
}
