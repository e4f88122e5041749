/** Written by `npm run checksums`. */
export const privacyChecksums = {
  'core.sql': '79454d5b24e1bef8f1f21484a6ba503b17815baa07064489e531fd571093076b',
  'module.json': '6e9c6d8907fe68a02619f9bd06350f2f312ccf3e3e30727c7115262052aff9ba',
}
