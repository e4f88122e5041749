/** Written by `npm run checksums`. */
export const checksums = {
  'core.sql': 'db6bf9b1cadf76852ef8ab549050ea2e0cdf4b96cf6f926bd1c181a9cdb70fb1',
  'module.json': '72431136e877e9e4c0c0d7208099afe0d9d31128c10078a0cb47ab19ef6ef06b',
}
