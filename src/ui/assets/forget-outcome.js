// Removes the outcome of the last action from the address, so that a reload or a bookmark does not show it again.
const address = new URL(location.href)
for (const name of ['done', 'changed', 'count']) address.searchParams.delete(name)
history.replaceState(history.state, '', address)
