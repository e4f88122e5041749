// Notes in the sign-in form whether the browser can create a passkey after the sign-in: on this device, or silently
// without asking the user.
const { upgrade } = JSON.parse(document.getElementById('settings').textContent)
const field = document.querySelector('input[name=can_create_passkey]')

if (field && window.PublicKeyCredential?.parseCreationOptionsFromJSON)
  canCreate()
    .then((can) => {
      field.value = String(can)
    })
    .catch(() => {})

async function canCreate() {
  if (upgrade === 'offer') return PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable()
  const capabilities = await PublicKeyCredential.getClientCapabilities?.()
  return capabilities?.conditionalCreate === true
}
