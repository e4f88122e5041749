// Temporarily disables buttons that send another message, because delivery takes time and messages are limited.
for (const button of document.querySelectorAll('button[data-wait]')) {
  const label = button.textContent
  const ready = Date.now() + Number(button.dataset.wait) * 1000
  const isWaiting = () => Date.now() < ready
  const show = () => {
    const seconds = Math.ceil((ready - Date.now()) / 1000)
    button.textContent = isWaiting() ? button.dataset.waiting.replace('{seconds}', seconds) : label
    button.setAttribute('aria-disabled', String(isWaiting()))
    if (!isWaiting()) clearInterval(ticks)
  }
  button.addEventListener('click', (event) => isWaiting() && event.preventDefault())
  const ticks = setInterval(show, 1000)
  show()
}
