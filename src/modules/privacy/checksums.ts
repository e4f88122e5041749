/** Written by `npm run checksums`. */
export const checksums = {
  'core.sql': '34e33cb43ebb4d30bcc4273823d62a49c3a8a677d3cc36d428c6fe6f85db65b7',
  'module.json': '5520410a5c7c1435fa637e0ebede9c5018d3145c5d217ca68e6dbc3e37090aad',
}
