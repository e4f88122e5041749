// Asks before the user leaves a form with changes that are not saved. Submitting to a preview does not save them.
const edited = document.querySelector('form[data-unsaved]')
let hasChanges = edited?.dataset.unsaved === 'draft'
edited?.addEventListener('input', () => {
  hasChanges = true
})
edited?.addEventListener('submit', ({ submitter }) => {
  if (!submitter?.formTarget) hasChanges = false
})
addEventListener('beforeunload', (event) => {
  if (hasChanges) event.preventDefault()
})
