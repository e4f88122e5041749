// Copies and prints recovery codes. The codes do not leave the page.
const settings = JSON.parse(document.getElementById('settings').textContent)
const copy = document.getElementById('copy')
const print = document.getElementById('print')
const codes = [...document.querySelectorAll('#codes li')].map(({ textContent }) => textContent)

copy.hidden = navigator.clipboard === undefined

copy.addEventListener('click', async () => {
  await navigator.clipboard.writeText(`${codes.join('\n')}\n`)
  copy.textContent = settings.copied
  document.getElementById('copied').textContent = settings.copied
})

print.addEventListener('click', () => window.print())
