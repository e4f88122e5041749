// Selects all rows in a list, and counts the selected ones. The listener is on the document because the list may be
// replaced while the page is open.
document.addEventListener('change', ({ target }) => {
  const count = target.form?.querySelector('[data-selected]')
  if (!count) return
  const boxes = [...target.form.querySelectorAll('.list input[type=checkbox]:enabled')]
  if (target.matches('[data-select-all]')) for (const box of boxes) box.checked = target.checked
  const selected = boxes.filter((box) => box.checked).length
  count.textContent = selected > 0 ? count.dataset.selected.replace('{count}', selected) : ''
})
