// Copies the text of an element. Browsers offer the clipboard only over HTTPS and on loopback addresses.
for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = navigator.clipboard === undefined
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent)
    button.querySelector('[role=status]').textContent = button.dataset.copied
  })
}
