import manifest from '../../package.json' with { type: 'json' }

/** The release version. It is part of the bundle, so the bundle never looks for package.json. */
export const { version } = manifest
