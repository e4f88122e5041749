// Asks before the user leaves forms with changes that are not saved, also if another form of the page is submitted.
// Submitting to a preview does not save them.
const changed = new Set()
for (const form of document.querySelectorAll('form[data-unsaved]')) {
  if (form.dataset.unsaved === 'draft') changed.add(form)
  form.addEventListener('input', () => changed.add(form))
  form.addEventListener('submit', ({ submitter }) => {
    if (!submitter?.formTarget) changed.delete(form)
  })
}
addEventListener('beforeunload', (event) => {
  if (changed.size > 0) event.preventDefault()
})
