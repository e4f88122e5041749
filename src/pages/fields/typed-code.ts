/** A code as people type it: with gaps, as apps show it, and in capitals. No code means anything by either. */
export const typedCode = (given = ''): string => given.replaceAll(/[\s-]/g, '').toLowerCase()
