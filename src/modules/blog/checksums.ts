/** Written by `npm run checksums`. */
export const checksums = {
  'core.sql': '811f670b9aead84f95bef72709250ef6a20a69333b786db03a2c6f6c6d1cdc94',
  'module.json': '79dd12b330b22fc0cfc58de76ca911d3818287c341f50f3e712900386c2be4ee',
}
