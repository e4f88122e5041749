export const { texts, publicUrl } = JSON.parse(document.getElementById('settings').textContent)
