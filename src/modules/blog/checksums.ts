/** Written by `npm run checksums`. */
export const checksums = {
  'core.sql': '81150e4b089285a684c758e4a0de368b73765e3c1c9dd045c488c1c403f77bad',
  'module.json': '79dd12b330b22fc0cfc58de76ca911d3818287c341f50f3e712900386c2be4ee',
}
