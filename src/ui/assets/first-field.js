// Focuses the first field, except on touch screens, where the keyboard would cover the page, and except below an error
// message, which screen readers read out first.
const canHover = matchMedia('(hover: hover) and (pointer: fine)').matches
if (canHover && !document.querySelector('[autofocus], [role="alert"]:not([hidden])'))
  document
    .querySelector('main form :is(input:not([type="hidden"], [type="checkbox"], [readonly]), select)')
    ?.focus({ preventScroll: true })
