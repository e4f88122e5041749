<?php
// Sign-in with Wardenry for PHP: copy this file into your application.

define('SERVICE', getenv('WARDENRY_URL') ?: 'http://localhost:3000');
define('APP_URL', getenv('APP_URL') ?: 'http://127.0.0.1:4000');
const CALLBACK = APP_URL . '/sign-in/callback';

session_start(['name' => 'app_session', 'use_strict_mode' => true, 'cookie_httponly' => true,
    'cookie_samesite' => 'Lax', 'cookie_secure' => str_starts_with(APP_URL, 'https:')]);

/** The reply of the service, or null when it refuses. No reply is no refusal: nobody knows, and that is 503. */
function ask(string $path, array $body, array $headers = []): ?array
{
    $headers = ['Content-Type: application/json', 'X-Bridge-Secret: ' . getenv('BRIDGE_SECRET'), ...$headers];
    $options = ['method' => 'POST', 'header' => $headers, 'content' => json_encode((object) $body),
        'timeout' => 5, 'ignore_errors' => true, 'follow_location' => 0];
    $text = @file_get_contents(SERVICE . $path, false, stream_context_create(['http' => $options]));
    $reply = $text === false ? null : json_decode($text, true);
    if ($reply['success'] ?? false) return $reply;
    $status = (int) explode(' ', $http_response_header[0] ?? ' 0')[1];
    $code = $reply['code'] ?? 'BRIDGE_SECRET_REQUIRED';
    if (in_array($status, [400, 401]) && $code !== 'BRIDGE_SECRET_REQUIRED') return null;
    answer(503, 'Sign-in is temporarily unavailable');
}

function answer(int $status, string $text, array $headers = []): never
{
    http_response_code($status);
    foreach (['Cache-Control: no-store', ...$headers] as $header) header($header);
    exit($text);
}

function userOf(): ?array
{
    if (!isset($_SESSION['token']) || isForeign()) return null;
    $reply = ask('/auth/bridge/validate', ['session_id' => $_SESSION['token']]);
    // The session of another application must not sign in here.
    return ($reply['session']['application'] ?? null) === APP_URL ? $reply['user'] : null;
}

/** Whether a page of another site sends a change with our cookie. */
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
    if (!$isPage) answer(401, 'Sign in to continue');
    answer(303, '', ['Location: /sign-in?return_to=' . urlencode($_SERVER['REQUEST_URI'])]);
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
    $_SESSION['flow'] = [$state, $verifier, $_GET['return_to'] ?? '/'];
    $challenge = rtrim(strtr(base64_encode(hash('sha256', $verifier, true)), '+/', '-_'), '=');
    $query = ['return_to' => CALLBACK, 'state' => $state, 'code_challenge' => $challenge, 'code_challenge_method' => 'S256'];
    answer(303, '', ['Location: ' . SERVICE . '/login?' . http_build_query($query)]);
}

function callback(): never
{
    [$state, $verifier, $returnTo] = $_SESSION['flow'] ?? ['', '', '/'];
    unset($_SESSION['flow']);
    [$given, $code] = [$_GET['state'] ?? '', $_GET['code'] ?? ''];
    $isOurs = $state !== '' && is_string($given) && hash_equals($state, $given);
    $proof = ['code' => $code, 'code_verifier' => $verifier, 'return_to' => CALLBACK];
    $session = $isOurs ? ask('/auth/bridge/redeem', $proof) : null;
    if (!$session) answer(400, 'This sign-in has expired or was started in another browser');
    session_regenerate_id(true);
    $_SESSION['token'] = $session['session_id'];
    $isLocal = is_string($returnTo) && preg_match('#^/(\w[\w/?&=-]*)?$#D', $returnTo);
    answer(303, '', ['Location: ' . ($isLocal ? $returnTo : '/')]);
}

function signOut(): never
{
    if (($_SERVER['HTTP_SEC_FETCH_SITE'] ?? 'same-origin') !== 'same-origin') answer(403, 'Another site sent this');
    if (isset($_SESSION['token'])) ask('/auth/logout', [], ["X-Session-ID: {$_SESSION['token']}"]);
    session_destroy();
    answer(303, '', ['Location: /']);
}
