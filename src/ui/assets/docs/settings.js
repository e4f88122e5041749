export const { texts, publicUrl, signedInAs } = JSON.parse(document.getElementById('settings').textContent)
