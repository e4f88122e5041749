const { post } = JSON.parse(document.getElementById('settings').textContent)
fetch(`/api/v1/posts/id/${post}/view`, { method: 'POST', keepalive: true }).catch(() => {})
