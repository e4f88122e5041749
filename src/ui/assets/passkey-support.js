// If the browser cannot create passkeys, shows what the page shows without scripts.
if (!window.PublicKeyCredential?.parseCreationOptionsFromJSON) {
  for (const part of document.querySelectorAll('.with-passkey')) part.hidden = true
  document.getElementById('without-passkey').classList.remove('unscripted')
}
