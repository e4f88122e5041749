// Sends the form without the user, whose button is for browsers without scripts.
document.getElementById('form-post').requestSubmit()
