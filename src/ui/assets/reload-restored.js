// A browser can restore the page from the back/forward cache after the user has signed out.
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return
  document.body.hidden = true
  location.reload()
})
