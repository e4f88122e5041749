// Selects all rows in a list. The listener is on the document because the list may be replaced while the page is open.
document.addEventListener('change', ({ target }) => {
  if (!target.matches('[data-select-all]')) return
  for (const box of target.form.querySelectorAll('.list input[type=checkbox]')) box.checked = target.checked
})
