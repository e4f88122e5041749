<?php
require __DIR__ . '/wardenry.php';

handleSignIn(); // /sign-in, /sign-in/callback and /sign-out

switch (parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)) {
    case '/':
        $user = userOf();
        if (!$user) answer(200, '<p>Nobody is signed in.</p><a href="/sign-in">Sign in</a>');
        $form = '<form method="post" action="/sign-out"><button>Sign out</button></form>';
        answer(200, '<p>Hello ' . htmlspecialchars($user['email']) . "</p>$form");
    case '/private':
        $user = requireUser();
        answer(200, json_encode(['email' => $user['email']]), ['Content-Type: application/json']);
    case '/invoices':
        if (!can(requireUser(), 'invoices:read')) answer(403, 'You cannot see invoices');
        answer(200, json_encode(['invoices' => []]), ['Content-Type: application/json']);
    default:
        answer(404, 'Not found');
}
