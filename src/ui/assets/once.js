// After a double click, sends the form only once because the second request would be rejected.
for (const form of document.querySelectorAll('main form[method="post"]')) {
  let isSent = false
  const show = (submitter, state) => {
    isSent = state
    submitter?.setAttribute('aria-disabled', String(state))
  }
  form.addEventListener('submit', (event) => {
    if (isSent) event.preventDefault()
    else if (!event.defaultPrevented) show(event.submitter, true)
    // Re-enables the button because browsers may restore the page from the back/forward cache.
    addEventListener('pageshow', () => show(event.submitter, false), { once: true })
  })
}
