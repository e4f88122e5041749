/** Written by `npm run checksums`. */
export const checksums = {
  'core.sql': '108c5d47a5c1476542b0d673fad916b8a0eafe70a7c591bc184871a6c45cd7b3',
  'module.json': '129e025e00609795bc1824e5a27d2f7f3c39282030dd5be6035f065da28ea61c',
}
