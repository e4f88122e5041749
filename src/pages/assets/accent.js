// The colour field and the text field show the same colour. Other text leaves the colour field as it was at first, so
// the text counts.
const [picked, before, typed] = ['accent_picked', 'accent_before', 'APP_ACCENT'].map((name) =>
  document.querySelector(`[name=${name}]`),
)
picked?.addEventListener('input', () => {
  typed.value = picked.value
})
typed?.addEventListener('input', () => {
  if (picked) picked.value = /^#[0-9a-f]{6}$/i.test(typed.value) ? typed.value : before.value
})
