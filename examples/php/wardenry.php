<?php
// Sign-in with Wardenry for PHP: copy this file into your application.

define('SERVICE', getenv('WARDENRY_URL') ?: 'http://localhost:3000');
define('APP_URL', getenv('APP_URL') ?: 'http://127.0.0.1:4000');
const CALLBACK = APP_URL . '/sign-in/callback';

define('IS_SECURE', str_starts_with(APP_URL, 'https:'));

// With __Host-, other hosts in the domain cannot set the cookie. Browsers accept the prefix only over HTTPS.
session_start(['name' => (IS_SECURE ? '__Host-' : '') . 'app_session', 'use_strict_mode' => true,
    'cookie_httponly' => true, 'cookie_samesite' => 'Lax', 'cookie_secure' => IS_SECURE]);

/** Returns the response, null if the service rejects the request, or false if it does not respond. */
function send(string $path, array $body, array $headers = []): array|false|null
{
    $headers = ['Content-Type: application/json', 'X-Bridge-Secret: ' . getenv('BRIDGE_SECRET'), ...$headers];
    // A redirect must not send the secret to another host.
    $options = ['method' => 'POST', 'header' => $headers, 'content' => json_encode((object) $body, JSON_INVALID_UTF8_SUBSTITUTE),
        'timeout' => 5, 'ignore_errors' => true, 'follow_location' => 0];
    $text = @file_get_contents(SERVICE . $path, false, stream_context_create(['http' => $options]));
    $reply = $text === false ? null : json_decode($text, true);
    $status = (int) explode(' ', $http_response_header[0] ?? ' 0')[1];
    if ($status === 200 && ($reply['success'] ?? false) === true) return $reply;
    $code = $reply['code'] ?? 'BRIDGE_SECRET_REQUIRED';
    return in_array($status, [400, 401]) && $code !== 'BRIDGE_SECRET_REQUIRED' ? null : false;
}

/** Sends 503 if the service does not respond, because the session could still be valid. */
function ask(string $path, array $body, array $headers = []): ?array
{
    $reply = send($path, $body, $headers);
    if ($reply !== false) return $reply;
    $link = $_SERVER['REQUEST_METHOD'] === 'POST' ? [formPage(), 'Back'] : [];
    notice(503, 'Sign-in is temporarily unavailable.', ...$link);
}

function answer(int $status, string $text, array $headers = []): never
{
    http_response_code($status);
    if ($status === 503) header('Retry-After: 1');
    foreach (['Cache-Control: no-store', 'Referrer-Policy: no-referrer', ...$headers] as $header) header($header);
    exit($text);
}

function notice(int $status, string $sentence, string $link = '/sign-in', string $label = 'Sign in again'): never
{
    $anchor = '<a href="' . htmlspecialchars($link) . "\">$label</a>";
    answer($status, "<!doctype html><html lang=\"en\"><title>Sign in</title><p>$sentence</p>$anchor");
}

function userOf(): ?array
{
    if (!isset($_SESSION['token']) || isForeign()) return null;
    // Only with SESSION_BINDING does the service compare the user agent with the one at sign-in.
    $visitor = ['user_agent' => substr($_SERVER['HTTP_USER_AGENT'] ?? '', 0, 512), 'compare' => 'user_agent'];
    $reply = ask('/auth/bridge/validate', ['session_id' => $_SESSION['token'], ...$visitor]);
    // Reject other applications' sessions. Otherwise, those applications could act as their users here.
    if (($reply['session']['application'] ?? null) !== APP_URL || !isset($reply['user'])) return null;
    return [...$reply['user'], 'permissions' => $reply['permissions'] ?? []];
}

/** Reports whether the user has the permission. A user without roles has none. */
function can(?array $user, string $permission): bool
{
    return in_array($permission, $user['permissions'] ?? [], true);
}

/** Reports whether a page on another site sent a request that changes data. */
function isForeign(): bool
{
    if (in_array($_SERVER['REQUEST_METHOD'], ['GET', 'HEAD', 'OPTIONS'])) return false;
    [$site, $origin] = [$_SERVER['HTTP_SEC_FETCH_SITE'] ?? null, $_SERVER['HTTP_ORIGIN'] ?? APP_URL];
    return $site === null ? $origin !== APP_URL : !in_array($site, ['same-origin', 'none']);
}

function requireUser(): array
{
    if ($user = userOf()) return $user;
    $isPage = $_SERVER['REQUEST_METHOD'] === 'GET' && str_contains($_SERVER['HTTP_ACCEPT'] ?? '', 'text/html');
    if ($isPage) answer(303, '', ['Location: /sign-in?return_to=' . urlencode($_SERVER['REQUEST_URI'])]);
    notice(401, 'Sign in, then submit the form again.', '/sign-in?return_to=' . urlencode(formPage()), 'Sign in');
}

/** The page whose form was submitted. */
function formPage(): string
{
    $referer = $_SERVER['HTTP_REFERER'] ?? '';
    return str_starts_with($referer, APP_URL . '/') ? localPath(substr($referer, strlen(APP_URL))) : '/';
}

function handleSignIn(): void
{
    $path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
    if ($path === '/sign-in') signIn();
    if ($path === '/sign-in/callback') callback();
    if ($path === '/sign-out' && $_SERVER['REQUEST_METHOD'] === 'POST') signOut();
}

function signIn(): never
{
    [$state, $verifier] = [bin2hex(random_bytes(32)), bin2hex(random_bytes(32))];
    $_SESSION['flow'] = [$state, $verifier, localPath($_GET['return_to'] ?? '/')];
    $challenge = rtrim(strtr(base64_encode(hash('sha256', $verifier, true)), '+/', '-_'), '=');
    $query = ['return_to' => CALLBACK, 'state' => $state, 'code_challenge' => $challenge, 'code_challenge_method' => 'S256'];
    answer(303, '', ['Location: ' . SERVICE . '/login?' . http_build_query($query)]);
}

function callback(): never
{
    [$state, $verifier, $path] = $_SESSION['flow'] ?? ['', '', '/'];
    [$given, $code, $error] = [$_GET['state'] ?? '', $_GET['code'] ?? '', $_GET['error'] ?? ''];
    $isOurs = $state !== '' && is_string($given) && hash_equals($state, $given);
    if (!$isOurs) notice(400, 'This sign-in has expired or was started in another browser.');
    if ($error !== '') {
        unset($_SESSION['flow']);
        notice(403, $error === 'access_denied' ? 'The sign-in was cancelled.' : 'The sign-in failed.');
    }
    // If the service does not respond, the state is kept so that the browser can retry this URL.
    $session = ask('/auth/bridge/redeem', ['code' => $code, 'code_verifier' => $verifier, 'return_to' => CALLBACK]);
    unset($_SESSION['flow']);
    if (!$session) notice(400, 'This sign-in has expired or was already used.');
    // End the session that this browser had before.
    $before = $_SESSION['token'] ?? null;
    if ($before !== null) send('/auth/logout?scope=application', [], ["X-Session-ID: $before"]);
    session_regenerate_id(true);
    $_SESSION['token'] = $session['session_id'];
    answer(303, '', ['Location: ' . APP_URL . $path]);
}

function signOut(): never
{
    if (isForeign()) notice(403, 'This request came from a page of another site.', '/', 'Back');
    if (isset($_SESSION['token'])) ask('/auth/logout', [], ["X-Session-ID: {$_SESSION['token']}"]);
    session_destroy();
    answer(303, '', ['Location: /']);
}

/** Accepts only local paths. Browsers treat // or /\ at the start of a URL as the start of a host name. */
function localPath(mixed $path): string
{
    return is_string($path) && preg_match('#^/(?![/\\\\])[!-~]{0,999}$#D', $path) ? $path : '/';
}
