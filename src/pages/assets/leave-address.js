// The response is a file, so the page stays open. This script removes the used token from the page's URL.
document.querySelector('main form').addEventListener('submit', () => history.replaceState(null, '', location.pathname))
