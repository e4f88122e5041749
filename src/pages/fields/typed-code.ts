/** Removes spaces and hyphens, which authenticator apps display, and ignores case. */
export const typedCode = (input = ''): string => input.replaceAll(/[\s-]/g, '').toLowerCase()
