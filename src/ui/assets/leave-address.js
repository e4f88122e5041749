// The response is a file, so the page stays open. The script removes the used token from the page URL.
document.querySelector('main form').addEventListener('submit', () => history.replaceState(null, '', location.pathname))
