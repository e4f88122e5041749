// Lets the user crop the picture to a square. Without this script, the uncropped picture is sent.
const form = document.getElementById('picture-form')
const input = document.getElementById('picture')
const crop = document.getElementById('crop')
const zoom = document.getElementById('zoom')
const view = crop.querySelector('canvas')
const largest = 1024
let image
let centre

input.addEventListener('change', async () => {
  const [file] = input.files
  image?.close()
  image = undefined
  // Files that the browser cannot decode are sent unchanged, and the service reports the error.
  image = file && (await createImageBitmap(file).catch(() => undefined))
  if (!image) return
  centre = { x: image.width / 2, y: image.height / 2 }
  zoom.value = '1'
  draw(view)
  crop.showModal()
})

document.getElementById('cancel').addEventListener('click', () => crop.close())
crop.addEventListener('close', () => {
  input.value = ''
})

zoom.addEventListener('input', () => move(0, 0))

const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }

view.addEventListener('keydown', (event) => {
  const step = steps[event.key]
  if (!step) return
  event.preventDefault()
  move(...step.map((direction) => (direction * side()) / 20))
})

view.addEventListener('pointerdown', ({ pointerId }) => view.setPointerCapture(pointerId))
view.addEventListener('pointermove', ({ pointerId, movementX, movementY }) => {
  if (!view.hasPointerCapture(pointerId)) return
  const scale = side() / view.clientWidth
  move(-movementX * scale, -movementY * scale)
})

form.addEventListener('submit', async (event) => {
  if (!image) return
  event.preventDefault()
  const type = input.files[0].type === 'image/jpeg' ? 'image/jpeg' : 'image/png'
  const result = document.createElement('canvas')
  result.width = result.height = Math.max(1, Math.min(largest, Math.round(side())))
  draw(result)
  const blob = await new Promise((done) => result.toBlob(done, type, 0.92))
  const files = new DataTransfer()
  files.items.add(new File([blob], 'picture', { type }))
  input.files = files.files
  form.submit()
})

/** The side length of the square, in picture pixels. */
const side = () => Math.min(image.width, image.height) / Number(zoom.value)

function move(x, y) {
  const half = side() / 2
  centre = { x: within(centre.x + x, half, image.width - half), y: within(centre.y + y, half, image.height - half) }
  draw(view)
}

const within = (value, least, most) => Math.min(Math.max(value, least), most)

function draw(canvas) {
  const size = side()
  const from = [centre.x - size / 2, centre.y - size / 2, size, size]
  const brush = canvas.getContext('2d')
  brush.clearRect(0, 0, canvas.width, canvas.height)
  brush.drawImage(image, ...from, 0, 0, canvas.width, canvas.height)
}
