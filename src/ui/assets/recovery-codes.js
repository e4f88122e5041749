// Copies, downloads and prints recovery codes. The codes do not leave the browser.
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

document.getElementById('download').addEventListener('click', () => {
  const owner = document.querySelector('.only-print').textContent
  const file = URL.createObjectURL(new Blob([`${owner}\n\n${codes.join('\n')}\n`], { type: 'text/plain' }))
  const link = Object.assign(document.createElement('a'), { href: file, download: `${settings.fileName}.txt` })
  link.click()
  URL.revokeObjectURL(file)
})

print.addEventListener('click', () => window.print())
