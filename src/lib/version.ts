import manifest from '../../package.json' with { type: 'json' }

/** The release. The bundle contains it, so a bundle never looks for package.json. */
export const { version } = manifest
