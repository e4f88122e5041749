// The response is a file, so the page remains. The used token is removed from its URL.
document.querySelector('main form').addEventListener('submit', () => history.replaceState(null, '', location.pathname))
