// The response is a file, so the page stays open. The script removes the used token from the URL of the page.
document.querySelector('main form').addEventListener('submit', () => history.replaceState(null, '', location.pathname))
