/** Written by `npm run checksums`. */
export const postTypesChecksums = {
  'core.sql': '56654d6fd6ba590fcb3fc49075142b891d13c770360b1fc48259c9a2bb5a3b63',
  'ext-seo.sql': '779afd3c1a45a5823dfef9757f23ae5d3b761c919924374ffa969be9c9e823d1',
  'ext-type-restriction.sql': '2f6e7a4898080935576c0ea1adfe4c6ff59d1911b3e609e742d057e596432426',
  'module.json': '9223bb5bfd7bab16f225919350f41604391096add3a6573d96023ec39ce5c6a5',
}
