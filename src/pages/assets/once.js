// A second press of a button, as in a double click, sends nothing again: it would be refused what the first one was given.
for (const form of document.querySelectorAll('main form[method="post"]')) {
  let isSent = false
  const show = (submitter, state) => {
    isSent = state
    submitter?.setAttribute('aria-disabled', String(state))
  }
  form.addEventListener('submit', (event) => {
    if (isSent) event.preventDefault()
    else if (!event.defaultPrevented) show(event.submitter, true)
    // Browsers may bring the page back as it was left.
    addEventListener('pageshow', () => show(event.submitter, false), { once: true })
  })
}
