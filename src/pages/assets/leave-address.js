// What the button gets is a file, and the page stays: the address goes on without the secret that is spent now.
document.querySelector('main form').addEventListener('submit', () => history.replaceState(null, '', location.pathname))
