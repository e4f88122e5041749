/** Written by `npm run checksums`. */
export const checksums = {
  'core.sql': 'e519f11ce0537e7bc76704c60f5d5d39ca8e3621e57d7251ec9da7b2f0f034b6',
  'module.json': '72431136e877e9e4c0c0d7208099afe0d9d31128c10078a0cb47ab19ef6ef06b',
}
